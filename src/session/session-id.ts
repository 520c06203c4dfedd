import { createHash, randomBytes } from 'node:crypto';

/** Hexadecimal digits of a session that nobody named. */
const DIGITS = 16;

/**
 * The session of a client's run. It is a hash and says nothing of the machine.
 *
 * @param scope in which pids are unique, and the clock of `started` is one
 */
export function toSessionId(scope: string, pid: number, started: number | undefined): string {
  const hash = createHash('sha256').update(JSON.stringify([scope, pid, started]));
  return `s-${hash.digest('hex').slice(0, DIGITS)}`;
}

/** A session that nobody else is in. */
export function randomSessionId(): string {
  return `s-${randomBytes(DIGITS / 2).toString('hex')}`;
}
