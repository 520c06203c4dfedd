import type { Pieces } from './pieces.ts';

const ENCODED = /(?:%[0-9A-Fa-f]{2})+/g;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Most rounds of decoding: servers behind proxies decode once or twice. Nobody reads as a path what is still encoded after these. */
export const MOST_ROUNDS = 4;

/** Decodes `%XX` as UTF-8 once. A `%` that encodes nothing stays; bytes that are no UTF-8 become U+FFFD. Linear. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // The engine is ten times as fast, and refuses a `%` that encodes nothing and what is no UTF-8.
    return text.replace(ENCODED, decodeRun);
  }
}

/** The text and what it becomes when it is decoded again and again, at most `MOST_ROUNDS` times and while it still changes. */
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

/**
 * The end of a piece that the next may go on with: a `%XX` that is not over, or a character of UTF-8, of which the first byte and at most
 * two more are there. Before a first byte nothing is open, whatever came (WHATWG Encoding §8.1.1).
 */
const OPEN = /(?:%[c-f][\da-f](?:%[89ab][\da-f]){0,2})?(?:%[\da-f]?)?$/i;
const LONGEST_OPEN = 11;

/**
 * `decodePercent` for a text in pieces, wherever they were cut. Of a text in one piece the engine would keep millions of encoded characters
 * in lists.
 */
export function* decodePieces(pieces: Pieces): Generator<string, void> {
  let held = '';
  for (const piece of pieces) {
    const text = held + piece;
    const open = OPEN.exec(text.slice(-LONGEST_OPEN))?.[0].length ?? 0;
    held = text.slice(text.length - open);
    if (open < text.length) yield decodePercent(text.slice(0, text.length - open));
  }
  if (held !== '') yield decodePercent(held);
}
