import type { SecretSpan } from './secret-forms.ts';

export interface ValuePlace {
  readonly kind: string;
  /** Start of the value, including its quotes. */
  readonly start: number;
  /** True if it follows a colon, as in headers: their values may contain spaces. */
  readonly isHeader: boolean;
}

/** Matches a reference: a variable's value is not in the text. */
const REFERENCE = /^\$(?:\{[A-Za-z_]\w*\}|[A-Z_][A-Z0-9_]*)$/;

/** Matches up to a space, a quote, or a separator of values: `;` in connection strings and shells, `&` before another name. */
const BARE = /(?:[^\s"'`;&]|&(?![\w.%-]{1,64}=|[\s&]|$))+/y;

/** Authorization schemes that take one more word; any other word could be the secret itself. */
const SCHEME = /(?:bearer|basic|token|digest|negotiate|ntlm|apikey|bot|key|aws4-hmac-sha256)[ \t]+(?=[^\s"'`])/iy;
const SECOND_WORD = /[ \t]+(?!-)[^\s"'`;]+/y;
const COOKIES = /[^\s=;,"']{1,256}=(?:"[^"]*"|[^\s;"']*)(?:; ?[^\s=;"']{1,256}=(?:"[^"]*"|[^\s;"']*))*/y;

/**
 * Matches a value in braces, as in ODBC; a JSON object, whose members have names of their own, and a template's `{{name}}` do not match.
 */
const BRACED = /\{[^\s"'{}\\][^"'{}\n]*\}/y;

/** Most parts of a shell word with several quotings that are followed. */
const MOST_PARTS = 16;

/** Finds the value at that place: one span; for a list, one for each string in it; none for nothing or a reference. */
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

/** A word as a shell reads it, of quoted and bare parts: `abc"d e"'f'`; for a single quoted part, its inside. */
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

/** Tells whether the word goes on here. */
function isGlued(text: string, index: number): boolean {
  // The end of a tag, too.
  return index < text.length && !/[\s,;:)}\]&|\\>]/.test(text.charAt(index)) && !text.startsWith('/>', index);
}

interface Quote extends Range {
  readonly mark: string;
  /** Number of backslashes before it, as in JSON within a JSON string. */
  readonly escapes: number;
}

function quoteAt(text: string, start: number): Quote | undefined {
  let at = start;
  while (text.charAt(at) === '\\' && at - start < 16) at += 1;
  const mark = text.charAt(at);
  return mark === '"' || mark === "'" || mark === '`' ? { start, end: at + 1, mark, escapes: at - start } : undefined;
}

/** The end of the quoted text: a quote with the same escapes as the opening one, or fewer, since that ends the text around it. */
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

/** The strings of a list of strings; it ends at anything else. */
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

/** Credentials of RFC 9110, 11.4: a scheme and its parameters. */
function credentials(text: string, start: number): Range {
  const secret = endOf(SCHEME, text, start);
  const end = endOf(BARE, text, secret);
  return { start: secret, end: secret > start ? end : endOf(SECOND_WORD, text, end) };
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}
