import type { Span } from '../../protocol/message.ts';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** Bytes of an escape by number, such as `\u00e9`. */
const UNICODE_ESCAPE = 6;

/**
 * Where UTF-16 units of a JSON string lie in its bytes. One within a character of two units is where that begins.
 *
 * @param span of the string, quotes included; a valid one
 * @param units ascending, the text's length at most
 * @returns offsets in `bytes`, one for each
 */
export function unitOffsets(bytes: Buffer, { start, end }: Span, units: readonly number[]): readonly number[] {
  const offsets: number[] = [];
  let pos = start + 1;
  let unit = 0;
  for (const wanted of units) {
    while (unit < wanted && pos < end - 1) {
      const { length, width } = characterAt(bytes, pos);
      if (unit + width > wanted) break;
      pos += length;
      unit += width;
    }
    offsets.push(pos);
  }
  return offsets;
}

/** Bytes of a character, or an escape, and UTF-16 units that it stands for. */
function characterAt(bytes: Buffer, pos: number): { readonly length: number; readonly width: number } {
  const byte = bytes[pos] as number;
  if (byte === BACKSLASH) return { length: bytes[pos + 1] === LOWER_U ? UNICODE_ESCAPE : 2, width: 1 };
  if (byte < 0x80) return { length: 1, width: 1 };
  if (byte < 0xe0) return { length: 2, width: 1 };
  return byte < 0xf0 ? { length: 3, width: 1 } : { length: 4, width: 2 };
}
