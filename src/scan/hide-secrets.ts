import { redactText } from '../core/dlp/redact-text.ts';
import type { ScanFinding } from './scanned.ts';

/** Fewest characters of a secret, or of a part of one at the edge of a quote: shorter ones occur by chance. */
const LEAST = 6;

/** Replaces secrets in what a server says, since servers repeat what they were given, and a report may be sent on. */
export interface Hiding {
  /** Replaces the secrets of the server's own entry. */
  readonly own: (text: string) => string;
  /** Replaces those, and whatever looks like a secret. */
  readonly all: (text: string) => string;
}

const MARK = '[redacted]';

/** @param secrets those of the server's entry */
export function createHiding(secrets: readonly string[]): Hiding {
  const long = secrets.filter(({ length }) => length >= LEAST).toSorted((a, b) => b.length - a.length);
  const own = (text: string): string => {
    let hidden = text;
    for (const secret of long) hidden = hideParts(hidden.replaceAll(secret, MARK), secret);
    return hidden;
  };
  const all = (text: string): string => {
    const hidden = own(text);
    return redactText(hidden, hidden.length).text;
  };
  return { own, all };
}

/** Replaces the end of a secret with which a quote begins, and the beginning with which it ends. */
function hideParts(text: string, secret: string): string {
  let hidden = text;
  for (let length = secret.length - 1; length >= LEAST; length--) {
    const [head, tail] = [secret.slice(0, length), secret.slice(-length)];
    if (hidden.startsWith(tail)) hidden = `${MARK}${hidden.slice(length)}`;
    if (hidden.endsWith(head)) hidden = `${hidden.slice(0, -length)}${MARK}`;
  }
  return hidden;
}

/** The finding without secrets. */
export function hideInFinding({ quote, quotes, ...found }: ScanFinding, { own, all }: Hiding): ScanFinding {
  return {
    ...found,
    subject: own(found.subject),
    message: own(found.message),
    todo: own(found.todo),
    ...(quote !== undefined && { quote: all(quote) }),
    ...(quotes !== undefined && { quotes: quotes.map(all) }),
  };
}
