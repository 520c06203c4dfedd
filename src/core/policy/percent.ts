const ENCODED = /(?:%[0-9A-Fa-f]{2})+/g;
const MOST_ROUNDS = 3;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes `%XX` as UTF-8 once. A `%` that encodes nothing stays; bytes that are no UTF-8 become U+FFFD. Linear. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  if (text.length <= PIECE) return text.replace(ENCODED, decodeRun);
  let decoded = '';
  let start = 0;
  while (start < text.length) {
    CUT.lastIndex = start + PIECE;
    const end = CUT.exec(text)?.index ?? text.length;
    decoded += text.slice(start, end).replace(ENCODED, decodeRun);
    start = end;
  }
  return decoded;
}

/** Characters that are replaced at a time: of millions of encoded ones in one text the engine would keep them all in lists. */
const PIECE = 65_536;

/** Where a text can be cut without tearing a character: not within `%XX`, nor before one that continues a character. */
const CUT = /%(?![89ab])|(?<!%.?)[^%]/gis;

/** The text and what it becomes when it is decoded again and again, at most three times and while it still changes. */
export function decodeRounds(text: string): string[] {
  const rounds = [text];
  let current = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = decodePercent(current);
    if (next === current) break;
    rounds.push(next);
    current = next;
  }
  return rounds;
}

function decodeRun(run: string): string {
  if (run.length === 3) {
    const code = Number.parseInt(run.slice(1), 16);
    if (code < 128) return String.fromCharCode(code);
  }
  const bytes = new Uint8Array(run.length / 3);
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = Number.parseInt(run.slice(index * 3 + 1, index * 3 + 3), 16);
  return utf8.decode(bytes);
}
