import { createHash, randomBytes } from 'node:crypto';

const NAME = /^[A-Za-z0-9._:-]{1,128}$/;

/** What a name of a session has, for people. */
export const NAME_RULE = 'a session name has 1 to 128 letters, digits, dots, colons, dashes and underscores';

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

/** May a session be called that? */
export function isSessionName(name: string): boolean {
  return NAME.test(name);
}

/**
 * A source of ids for records: `6f0c2d9be1a45378.1`, `….2`, …. They are unique over all processes, which may share a session: the prefix is
 * 64 random bits of this source's own.
 */
export function createRecordIds(): () => string {
  const prefix = randomBytes(8).toString('hex');
  let last = 0;
  return () => `${prefix}.${++last}`;
}
