import { BACKSLASH } from './json-bytes.ts';

/**
 * Text of the JSON string that fills `bytes[start..end)`, quotes included.
 *
 * @returns undefined if its escapes or characters are not valid JSON.
 */
export function decodeString(bytes: Buffer, start: number, end: number): string | undefined {
  for (let i = start + 1; i < end - 1; i++) {
    const byte = bytes[i] as number;
    if (byte === BACKSLASH || byte < 0x20 || byte >= 0x80) return decodeEscaped(bytes, start, end);
  }
  return bytes.toString('latin1', start + 1, end - 1);
}

function decodeEscaped(bytes: Buffer, start: number, end: number): string | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as string;
  } catch {
    // The scanner lets strings pass whose insides are malformed; this is where that shows.
    return undefined;
  }
}

/** Characters of a key that are shown; a peer's longest would be as long as its longest message. */
const MOST_SHOWN = 100;

/** A key as it is named in what we say about it. */
export function quoteKey(key: string): string {
  return JSON.stringify(key.length > MOST_SHOWN ? `${key.slice(0, MOST_SHOWN)}…` : key);
}

/**
 * The form in which parsers that disagree about a key would agree: letter case folded as Go's encoding/json does it (which
 * takes U+017F for s and U+212A for k: CVE-2026-27896) and Java's equalsIgnoreCase (U+0130 for i), cut at the first NUL
 * (GHSA-q382-vc8q-7jhj).
 */
export function foldKey(key: string): string {
  const nul = key.indexOf('\0');
  return (nul === -1 ? key : key.slice(0, nul)).replaceAll('\u0130', 'i').toUpperCase().toLowerCase();
}

const INPUT_REQUESTS = Buffer.from('"inputRequests"');
const FOLDED_INPUT_REQUESTS = foldKey('inputRequests');

/**
 * Tells whether the key in `bytes[start..end)`, quotes included, is `inputRequests` or one that some parser takes for it. Only a key that
 * begins like it and is at least as long is decoded.
 */
export function inputRequestsKey(bytes: Buffer, start: number, end: number): 'exact' | 'variant' | 'other' {
  const length = end - start;
  if (length < INPUT_REQUESTS.length) return 'other';
  const first = bytes[start + 1] as number;
  if (first !== 0x69 && first !== 0x49 && first !== BACKSLASH && first < 0x80) return 'other';
  if (length === INPUT_REQUESTS.length && INPUT_REQUESTS.compare(bytes, start, end) === 0) return 'exact';
  const key = decodeString(bytes, start, end);
  if (key === 'inputRequests') return 'exact';
  return key === undefined || foldKey(key) === FOLDED_INPUT_REQUESTS ? 'variant' : 'other';
}
