import { cutIntoPieces, PIECE, type Stage } from './pieces.ts';

const HAS_ENCODED = /%[0-9A-F]{2}/i;

const ENCODED = /(?:%[0-9A-Fa-f]{2})+/g;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** How often a text is decoded at most: servers behind proxies decode once or twice. What is left encoded after that, nobody reads as a path. */
const MOST_ROUNDS = 4;

/** Decodes `%XX` as UTF-8 once. A `%` that encodes nothing stays; bytes that are no UTF-8 become U+FFFD. Linear. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  if (text.length <= PIECE) return text.replace(ENCODED, decodeRun);
  // Of millions of encoded characters in one text the engine would keep them all in lists.
  const decoder = new PercentDecoder();
  let decoded = '';
  for (const piece of cutIntoPieces(text)) decoded += decoder.push(piece);
  return decoded + decoder.end();
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

const PERCENT = 0x25;
const REPLACEMENT = 0xfffd;

/** Value of the hexadecimal digit with this code; -1 for any other character. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** `decodePercent` for a text that comes in pieces, wherever they were cut. */
export class PercentDecoder implements Stage {
  /** Something was encoded. */
  hasDecoded = false;
  /** What the last piece ended with that may yet encode something: `%` or `%X`. */
  #held = '';
  readonly #out = new Units();

  push(piece: string): string {
    if (this.#held === '' && !this.#out.isWithin && !piece.includes('%')) return piece;
    const text = this.#held + piece;
    const out = this.#out;
    let at = 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === PERCENT) {
        if (at + 1 >= text.length) break;
        const high = digitOf(text.charCodeAt(at + 1));
        if (high !== -1 && at + 2 >= text.length) break;
        const low = high === -1 ? -1 : digitOf(text.charCodeAt(at + 2));
        if (low !== -1) {
          this.hasDecoded = true;
          out.addByte(high * 16 + low);
          at += 2;
          continue;
        }
      }
      out.addUnit(code);
    }
    this.#held = text.slice(at);
    return out.take();
  }

  end(): string {
    this.#out.endBytes();
    return this.#out.take() + this.#held;
  }
}

/** Collects UTF-16 code units, some given as the bytes of UTF-8. Those are decoded as `TextDecoder` does (WHATWG Encoding §8.1.1). */
class Units {
  #units = new Uint16Array(PIECE + 16);
  #length = 0;
  /** Bytes that the character needs yet, the bits it has so far, and what its next byte may be. */
  #needed = 0;
  #point = 0;
  #lowest = 0x80;
  #highest = 0xbf;

  /** A character has begun and not ended. */
  get isWithin(): boolean {
    return this.#needed > 0;
  }

  addUnit(unit: number): void {
    if (this.#needed > 0) this.endBytes();
    this.#add(unit);
  }

  addByte(byte: number): void {
    if (this.#needed > 0) {
      if (byte >= this.#lowest && byte <= this.#highest) this.#addNext(byte);
      else {
        this.endBytes();
        this.addByte(byte);
      }
    } else if (byte < 0x80) this.#add(byte);
    else if (byte >= 0xc2 && byte <= 0xdf) this.#begin(1, byte & 0x1f);
    else if (byte >= 0xe0 && byte <= 0xef) {
      this.#begin(2, byte & 0xf);
      if (byte === 0xe0) this.#lowest = 0xa0;
      if (byte === 0xed) this.#highest = 0x9f;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      this.#begin(3, byte & 0x7);
      if (byte === 0xf0) this.#lowest = 0x90;
      if (byte === 0xf4) this.#highest = 0x8f;
    } else this.#add(REPLACEMENT);
  }

  /** No more bytes of the character that has begun will come. */
  endBytes(): void {
    if (this.#needed > 0) this.#add(REPLACEMENT);
    this.#begin(0, 0);
  }

  take(): string {
    const text = String.fromCharCode.apply(null, this.#units.subarray(0, this.#length) as unknown as number[]);
    this.#length = 0;
    return text;
  }

  #begin(needed: number, bits: number): void {
    this.#needed = needed;
    this.#point = bits;
    this.#lowest = 0x80;
    this.#highest = 0xbf;
  }

  #addNext(byte: number): void {
    const point = (this.#point << 6) | (byte & 0x3f);
    this.#begin(this.#needed - 1, point);
    if (this.#needed > 0) return;
    if (point < 0x1_0000) this.#add(point);
    else {
      this.#add(0xd800 | ((point - 0x1_0000) >> 10));
      this.#add(0xdc00 | (point & 0x3ff));
    }
  }

  #add(unit: number): void {
    if (this.#length === this.#units.length) {
      const larger = new Uint16Array(this.#length * 2);
      larger.set(this.#units);
      this.#units = larger;
    }
    this.#units[this.#length] = unit;
    this.#length += 1;
  }
}

/**
 * Walks through the rounds of `decodeRounds` side by side, in pieces, without ever having one as a whole. No piece ends within a
 * surrogate pair or is empty.
 *
 * @param visit is given each piece and which round it is of, the text itself being round 0; returns true to end the walk
 * @param most the last round that is wanted
 * @returns the number of the last round there is. One that says the same as the one before it may be walked through, and does not count.
 */
export function walkRounds(text: string, visit: (piece: string, round: number) => boolean, most: number = MOST_ROUNDS): number {
  const decoders = text.includes('%') && HAS_ENCODED.test(text) ? Array.from({ length: most }, () => new PercentDecoder()) : [];
  let isOver = false;
  const pass = (piece: string, round: number): void => {
    if (piece === '' || isOver) return;
    isOver = visit(piece, round);
    const decoder = decoders[round];
    if (decoder !== undefined) pass(decoder.push(piece), round + 1);
  };
  for (const piece of cutIntoPieces(text)) {
    pass(piece, 0);
    if (isOver) break;
  }
  for (const [round, decoder] of decoders.entries()) pass(decoder.end(), round + 1);
  const last = decoders.findIndex(({ hasDecoded }) => !hasDecoded);
  return last === -1 ? decoders.length : last;
}
