import type { SecretSpan } from './secret-forms.ts';

export interface ValuePlace {
  readonly kind: string;
  /** Where the value begins, with its quotes. */
  readonly start: number;
  /** It came after a colon, as headers do: their values can have spaces in them. */
  readonly isHeader: boolean;
}

/** A variable's value is not in the text. */
const REFERENCE = /^\$(?:\{[A-Za-z_]\w*\}|[A-Z_][A-Z0-9_]*)$/;

/** Up to a space, a quote, or what parts values: `;` in connection strings and shells, `&` where another name follows. */
const BARE = /(?:[^\s"'`;&]|&(?![\w.%-]{1,64}=|[\s&]|$))+/y;

/** Ways to authorise that take one word more; any other word could be the secret itself. */
const SCHEME = /(?:bearer|basic|token|digest|negotiate|ntlm|apikey|bot|key|aws4-hmac-sha256)[ \t]+(?=[^\s"'`])/iy;
const SECOND_WORD = /[ \t]+(?!-)[^\s"'`;]+/y;
const COOKIES = /[^\s=;,"']+=(?:"[^"]*"|[^\s;"']*)(?:; ?[^\s=;"']+=(?:"[^"]*"|[^\s;"']*))*/y;

/** A value in braces, as ODBC has them; a JSON object, whose members have names of their own, and a `{{name}}` that a template has are none. */
const BRACED = /\{[^\s"'{}\\][^"'{}\n]*\}/y;

/** Most parts that a shell word of several quotings is followed through. */
const MOST_PARTS = 16;

/** The value at that place: one span; of a list one for each string in it; none where there is nothing or a reference. */
export function findValue(text: string, { kind, start, isHeader }: ValuePlace): SecretSpan[] {
  const first = text.charAt(start);
  if (first === '[' || first === '(') {
    const spans = listed(text, start + 1, kind);
    if (spans.length > 0) return spans;
  }
  if (first === '{') return spanOf(text, { start, end: endOf(BRACED, text, start) }, kind);
  const quote = quoteAt(text, start);
  if (quote === undefined && isHeader) {
    if (kind === 'authorization') return spanOf(text, credentials(text, start), kind);
    const cookies = kind === 'cookie' ? endOf(COOKIES, text, start) : start;
    if (cookies > start) return spanOf(text, { start, end: cookies }, kind);
  }
  return spanOf(text, word(text, start), kind);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function spanOf(text: string, { start, end }: Range, kind: string): SecretSpan[] {
  const isReference = text.charAt(start) === '$' && REFERENCE.test(text.slice(start, Math.min(end, start + 64)));
  return end <= start || isReference ? [] : [{ start, end, kind }];
}

/** A word as a shell reads it, of quoted and bare parts: `abc"d e"'f'`; of a single quoted part the inside. */
function word(text: string, start: number): Range {
  let end = start;
  for (let part = 0; part < MOST_PARTS; part += 1) {
    const quote = quoteAt(text, end);
    if (quote !== undefined && part > 0 && (text.charAt(end - 1) === ',' || !isGlued(text, quote.end))) break;
    const inside = quote === undefined ? endOf(BARE, text, end) : closing(text, quote);
    if (inside === end) break;
    const after = quote === undefined ? inside : Math.min(text.length, inside + quote.end - quote.start);
    if (part === 0 && quote !== undefined && !isGlued(text, after)) return { start: quote.end, end: inside };
    end = after;
  }
  return { start, end };
}

/** Does what stands here go on with the word? */
function isGlued(text: string, index: number): boolean {
  return index < text.length && !/[\s,;:)}\]&|\\]/.test(text.charAt(index));
}

interface Quote extends Range {
  readonly mark: string;
  /** Backslashes before it: JSON in a string of JSON has them. */
  readonly escapes: number;
}

function quoteAt(text: string, start: number): Quote | undefined {
  let at = start;
  while (text.charAt(at) === '\\' && at - start < 16) at += 1;
  const mark = text.charAt(at);
  return mark === '"' || mark === "'" || mark === '`' ? { start, end: at + 1, mark, escapes: at - start } : undefined;
}

/** Where the quoted text ends: at a quote that is escaped as the opening one was, or less, for then it ends what is around it. */
function closing(text: string, { end, mark, escapes }: Quote): number {
  for (let at = text.indexOf(mark, end); at !== -1; at = text.indexOf(mark, at + 1)) {
    let first = at;
    while (first > end && text.charAt(first - 1) === '\\') first -= 1;
    const before = at - first;
    if (before < escapes) return first;
    if ((before - escapes) % (2 * (escapes + 1)) === 0) return at - escapes;
  }
  return text.length;
}

/** The strings of a list of strings; it ends at whatever else comes. */
function listed(text: string, from: number, kind: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let at = from; ;) {
    while (/[\s,]/.test(text.charAt(at))) at += 1;
    const quote = quoteAt(text, at);
    if (quote === undefined) return spans;
    const end = closing(text, quote);
    if (end > quote.end) spans.push({ start: quote.end, end, kind });
    at = Math.min(text.length, end + quote.end - quote.start);
  }
}

/** RFC 9110, 11.4: a scheme and what belongs to it. */
function credentials(text: string, start: number): Range {
  const secret = endOf(SCHEME, text, start);
  const end = endOf(BARE, text, secret);
  return { start: secret, end: secret > start ? end : endOf(SECOND_WORD, text, end) };
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}
