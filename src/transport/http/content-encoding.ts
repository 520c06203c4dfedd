/** An encoding of bodies that can be undone. */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** More than these in a row nobody needs, and each is one more bomb. */
const MOST_CODINGS = 2;

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

/**
 * Reads a Content-Encoding header (RFC 9110 8.4).
 *
 * @param value all its lines, joined with commas
 * @returns what has to be undone, in the order in which it has to be; undefined where that is not known, or too much
 */
export function parseContentEncoding(value: string | undefined): readonly Coding[] | undefined {
  if (value === undefined) return [];
  const codings: Coding[] = [];
  for (const part of value.split(',')) {
    const name = part.trim().toLowerCase();
    if (name === '' || name === 'identity') continue;
    const coding = CODINGS.get(name);
    if (coding === undefined || codings.length === MOST_CODINGS) return undefined;
    codings.unshift(coding);
  }
  return codings;
}
