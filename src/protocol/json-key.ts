const BACKSLASH = 0x5c;

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

/**
 * The form in which parsers that disagree about a key would agree: letter case folded as Go's encoding/json does it (which
 * takes U+017F for s and U+212A for k: CVE-2026-27896) and Java's equalsIgnoreCase (U+0130 for i), cut at the first NUL (GHSA-q382-vc8q-7jhj).
 */
export function foldKey(key: string): string {
  const nul = key.indexOf('\0');
  return (nul === -1 ? key : key.slice(0, nul)).replaceAll('\u0130', 'i').toUpperCase().toLowerCase();
}
