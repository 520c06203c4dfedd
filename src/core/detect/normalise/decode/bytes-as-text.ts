const UTF8 = new TextDecoder('utf-8', { fatal: true });
const UTF16 = new TextDecoder('utf-16le', { fatal: true });

/** Neither letters nor anything that stands in sentences. */
const ODD = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]/;
const LETTERS = /[\p{L}\p{N} ]/gu;

/** Of a text, at least so much is letters, digits and spaces. */
const FEWEST_LETTERS = 0.7;

/** Bytes as a text that somebody could read: UTF-8, or UTF-16 as shells of Windows take it; undefined where they are none. */
export function bytesAsText(bytes: Uint8Array): string | undefined {
  return readable(decoded(UTF8, bytes)) ?? (isWide(bytes) ? readable(decoded(UTF16, bytes)) : undefined);
}

function isWide(bytes: Uint8Array): boolean {
  return bytes.length > 7 && bytes.length % 2 === 0 && bytes[1] === 0 && bytes[3] === 0;
}

function decoded(decoder: typeof UTF8, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    // What is not in this encoding is no text; the decoder has no other way to say so.
    return undefined;
  }
}

function readable(text: string | undefined): string | undefined {
  if (text === undefined || text.length < 2 || ODD.test(text)) return undefined;
  return (text.match(LETTERS)?.length ?? 0) >= text.length * FEWEST_LETTERS ? text : undefined;
}
