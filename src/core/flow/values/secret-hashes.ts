import { wellKnownMarks } from './known-values.ts';
import { lowerCase, plainText } from './letters.ts';
import { PIECE, RollingHash } from './rolling-hash.ts';
import { MOST_HASHES } from './result-reader.ts';
import type { ValueHasher } from './value-hasher.ts';

/** Most characters of one secret that are remembered. */
const LONGEST = 8 * 1024;

/** The sealed marks of secrets, so that each is recognised by any twelve of its letters and digits; none of shorter ones. */
export function sealSecrets(hasher: ValueHasher, secrets: readonly string[]): Uint8Array {
  const wellKnown = wellKnownMarks(hasher);
  const marks = new Set<number>();
  for (const secret of secrets) {
    const hash = new RollingHash(hasher);
    hash.reset();
    hash.read(lowerCase(plainText(secret.slice(0, LONGEST))), 0);
    for (let at = PIECE - 1; at < hash.to && marks.size < MOST_HASHES; at += 1) {
      const mark = hash.piece(at);
      if (!wellKnown.has(mark)) marks.add(mark);
    }
  }
  return hasher.seal(Float64Array.from(marks));
}
