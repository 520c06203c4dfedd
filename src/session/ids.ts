import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '../core/json.ts';
import { redactJson } from '../core/dlp/redact-json.ts';
import { fingerprintOf } from '../core/registry/fingerprint.ts';
import type { LaunchIdentity } from '../gate/ports/registry-port.ts';

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

/** Returns the identity of a server that a command starts. The fingerprint covers all words; the text has secrets masked. */
export function launchIdentity([command, ...args]: readonly [string, ...string[]]): LaunchIdentity {
  const identity = { args, command };
  return { type: 'stdio', text: redactJson(identity).json, fingerprint: fingerprintOf(canonicalJson(identity)) };
}

/**
 * Returns the identity of a server that is reached by URL. The fingerprint covers the whole URL.
 *
 * @param shown the URL without what people must not see: a value of its query may be a token that looks like none
 */
export function remoteIdentity(url: string, shown: string): LaunchIdentity {
  return { type: 'http', text: redactJson({ url: shown }).json, fingerprint: fingerprintOf(canonicalJson({ url })) };
}
