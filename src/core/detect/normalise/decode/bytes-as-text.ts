import { unhide } from '../unhide.ts';

const UTF8 = new TextDecoder('utf-8');
const UTF16 = new TextDecoder('utf-16le');

/** Neither letters nor anything that stands in sentences. */
const ODD = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]/;
const LETTERS = /[\p{L}\p{M}\p{N} ]/gu;

/** Of a text, at least so much is letters, digits and spaces. */
const FEWEST_LETTERS = 0.7;

/** A text of so many characters may have something else behind it: where an encoded text ends is not always clear. */
const FEWEST_BEFORE_ODD = 16;

/** Bytes as a text that somebody could read, up to where it is none any more: UTF-8, or UTF-16 as shells of Windows take it; undefined where they are none. */
export function bytesAsText(bytes: Uint8Array): string | undefined {
  return readable(UTF8.decode(bytes)) ?? (isWide(bytes) ? readable(UTF16.decode(bytes)) : undefined);
}

function isWide(bytes: Uint8Array): boolean {
  return bytes.length > 7 && bytes[1] === 0 && bytes[3] === 0;
}

function readable(text: string): string | undefined {
  const odd = text.search(ODD);
  if (odd !== -1 && odd < FEWEST_BEFORE_ODD) return undefined;
  const even = odd === -1 ? text : text.slice(0, odd);
  const plain = unhide(even).text;
  const letters = plain.match(LETTERS)?.length ?? 0;
  return letters > 1 && letters >= plain.length * FEWEST_LETTERS ? even : undefined;
}
