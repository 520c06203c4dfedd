import { stringBytesEnd, stringBytesText } from '../../sse/string-bytes.ts';
import { CLOSE_BRACE, ZERO } from '../../json-bytes.ts';

const SPACE = 0x20;

/** Most digits of an index; no message has that many blocks. */
const MOST_DIGITS = 6;

const HEADS = [Buffer.from('{"type":"content_block_delta","index":'), Buffer.from('{"type": "content_block_delta", "index": ')];
const TYPES = [Buffer.from(',"delta":{"type":"'), Buffer.from(', "delta": {"type": "')];

export type PlainDeltaKind = 'text' | 'thinking' | 'input';

interface Tail {
  readonly kind: PlainDeltaKind;
  readonly bytes: Buffer;
}

/** The tails by spacing. */
const TAILS: readonly (readonly Tail[])[] = [
  [
    { kind: 'text', bytes: Buffer.from('text_delta","text":"') },
    { kind: 'thinking', bytes: Buffer.from('thinking_delta","thinking":"') },
    { kind: 'input', bytes: Buffer.from('input_json_delta","partial_json":"') },
  ],
  [
    { kind: 'text', bytes: Buffer.from('text_delta", "text": "') },
    { kind: 'thinking', bytes: Buffer.from('thinking_delta", "thinking": "') },
    { kind: 'input', bytes: Buffer.from('input_json_delta", "partial_json": "') },
  ],
];

/**
 * Recognises the usual deltas of a stream by their exact bytes, so that they need not be parsed: text, thinking or input, in the usual
 * order of keys and with the usual white space, strict JSON to the very end. No other key can hide in them. Most deltas of the API end in
 * spaces, which mean nothing.
 */
export class PlainDelta {
  kind: PlainDeltaKind = 'text';
  /** The block's index. */
  index = 0;
  /** The delta's string without its quotes: `bytes[start..end)`. */
  start = 0;
  end = 0;

  /** Reads `bytes[start..end)`. False if it is anything else, or not surely plain. */
  read(bytes: Buffer, start: number, end: number): boolean {
    // This is the first byte in which the two spacings differ.
    const spacing = bytes[start + 8] === SPACE ? 1 : 0;
    const head = HEADS[spacing] as Buffer;
    let at = matchEnd(bytes, start, end, head);
    if (at === -1) return false;
    const digits = at;
    let index = 0;
    for (; at < end; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      index = index * 10 + digit;
    }
    const count = at - digits;
    if (count === 0 || count > MOST_DIGITS || (count > 1 && bytes[digits] === ZERO)) return false;
    at = matchEnd(bytes, at, end, TYPES[spacing] as Buffer);
    if (at === -1) return false;
    for (const tail of TAILS[spacing] as readonly Tail[]) {
      const value = matchEnd(bytes, at, end, tail.bytes);
      if (value === -1) continue;
      this.kind = tail.kind;
      this.index = index;
      this.start = value;
      return this.#readString(bytes, value, end);
    }
    return false;
  }

  /** Returns the delta's string. @param bytes as they were read */
  text(bytes: Buffer): string {
    return stringBytesText(bytes, this.start, this.end);
  }

  /** Moves past the string and the ends of delta and payload. */
  #readString(bytes: Buffer, from: number, end: number): boolean {
    let at = stringBytesEnd(bytes, from, end);
    if (at === -1) return false;
    this.end = at;
    at = skipSpaces(bytes, at + 1, end);
    if (at >= end || bytes[at] !== CLOSE_BRACE) return false;
    at = skipSpaces(bytes, at + 1, end);
    if (at >= end || bytes[at] !== CLOSE_BRACE) return false;
    return skipSpaces(bytes, at + 1, end) >= end;
  }
}

/** Returns the offset after `expected` if it occurs at `at`, else -1. */
function matchEnd(bytes: Buffer, at: number, end: number, expected: Buffer): number {
  const { length } = expected;
  if (at + length > end) return -1;
  for (let i = 0; i < length; i++) if (bytes[at + i] !== expected[i]) return -1;
  return at + length;
}

function skipSpaces(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] === SPACE) at++;
  return at;
}
