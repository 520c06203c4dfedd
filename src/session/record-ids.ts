import { randomBytes } from 'node:crypto';

/**
 * A source of ids for records: `6f0c2d9be1a45378.1`, `….2`, …. They are unique over all processes, which may share a session: the prefix is
 * 64 random bits of this source's own.
 */
export function createRecordIds(): () => string {
  const prefix = randomBytes(8).toString('hex');
  let last = 0;
  return () => `${prefix}.${++last}`;
}
