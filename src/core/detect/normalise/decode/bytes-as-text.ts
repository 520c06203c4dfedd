import { unhide } from '../unhide.ts';

/** The decoders, made at the first use: that takes milliseconds, and most processes decode nothing. */
let decoders: ReturnType<typeof createDecoders> | undefined;

/** Matches characters that are neither letters nor part of sentences. */
const ODD = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]/;
const LETTERS = /[\p{L}\p{M}\p{N} ]/gu;

/** Least share of letters, digits and spaces in a text. */
const FEWEST_LETTERS = 0.7;

/** After so many readable characters, odd ones may follow, since the end of an encoded text is not always clear. */
const FEWEST_BEFORE_ODD = 16;

/**
 * Decodes bytes as readable text, up to where it stops being one: UTF-8, or UTF-16 as Windows shells take it; undefined if they are no
 * text.
 */
export function bytesAsText(bytes: Uint8Array): string | undefined {
  decoders ??= createDecoders();
  const { utf8, utf16 } = decoders;
  return readable(utf8.decode(bytes)) ?? (isWide(bytes) ? readable(utf16.decode(bytes)) : undefined);
}

function createDecoders() {
  return { utf8: new TextDecoder('utf-8'), utf16: new TextDecoder('utf-16le') } as const;
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

/** The way in which a text was hidden in another one. */
export type Hiding =
  | 'unicode_tags'
  | 'variation_selectors'
  | 'zero_width'
  | 'zero_width_space'
  | 'terminal_escape'
  | 'bidi_override'
  | 'base64'
  | 'hex'
  | 'binary'
  | 'decimal'
  | 'base32'
  | 'escapes'
  | 'spelling'
  | 'spacing'
  | 'joined'
  | 'rot13';

/** A text that was hidden in another one. */
export interface HiddenText {
  readonly text: string;
  readonly hiding: Hiding;
  /** UTF-16 offset of its beginning in the text as sent. */
  readonly position: number;
}
