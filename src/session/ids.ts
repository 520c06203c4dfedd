import { createHash, randomBytes } from 'node:crypto';

const NAME = /^[A-Za-z0-9._:-]{1,128}$/;

/** The rule for names of sessions, for people. */
export const NAME_RULE = 'a session name has 1 to 128 letters, digits, dots, colons, dashes and underscores';

/** Hexadecimal digits of a session without a given name. */
const DIGITS = 16;

/**
 * Returns the session of a client's run. It is a hash and reveals nothing about the machine.
 *
 * @param scope within which pids are unique and `started` is one clock
 */
export function toSessionId(scope: string, pid: number, started: number | undefined): string {
  const hash = createHash('sha256').update(JSON.stringify([scope, pid, started]));
  return `s-${hash.digest('hex').slice(0, DIGITS)}`;
}

/** Creates a session for this process alone. */
export function randomSessionId(): string {
  return `s-${randomBytes(DIGITS / 2).toString('hex')}`;
}

/** Tells whether this is a valid name of a session. */
export function isSessionName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Creates a source of ids for records: `6f0c2d9be1a45378.1`, `….2`, …. They are unique over all processes, which may share a session: the
 * prefix is 64 random bits per source.
 */
export function createRecordIds(): () => string {
  const prefix = randomBytes(8).toString('hex');
  let last = 0;
  return () => `${prefix}.${++last}`;
}
