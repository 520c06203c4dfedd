/** The parts of a URL whose characters are encoded, each in its own way. */
export type UrlPart = 'path' | 'query' | 'fragment';

const BEFORE: Readonly<Record<UrlPart, string>> = { path: 'http://h/', query: 'http://h/?', fragment: 'http://h/#' };

const encoded = new Map<UrlPart, RegExp>();

/** Percent-encodes what the platform's URL parser encodes in this part of a special URL (WHATWG URL §1.3). The text is well-formed. */
export function encodeUrlPart(text: string, part: UrlPart): string {
  let pattern = encoded.get(part);
  if (pattern === undefined) {
    pattern = findEncoded(part);
    encoded.set(part, pattern);
  }
  return text.replace(pattern, encodeRun);
}

/** The parser is asked itself: which ASCII characters it encodes has changed over the years. */
function findEncoded(part: UrlPart): RegExp {
  let found = '';
  for (let code = 0; code < 0x80; code += 1) {
    const hex = code.toString(16).padStart(2, '0');
    const text = `${BEFORE[part]}a${String.fromCharCode(code)}a`;
    if (URL.parse(text)?.href === `${BEFORE[part]}a%${hex.toUpperCase()}a`) found += `\\x${hex}`;
  }
  return new RegExp(`[${found}]|[^\\0-\\x7f]+`, 'g');
}

function encodeRun(run: string): string {
  const code = run.charCodeAt(0);
  return code < 0x80 ? `%${code.toString(16).toUpperCase().padStart(2, '0')}` : encodeURIComponent(run);
}
