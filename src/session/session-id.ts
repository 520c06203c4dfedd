import { createHash, randomBytes } from 'node:crypto';
import { findClient } from './find-client.ts';
import { readLinuxProcess, readLinuxScope, readStdin } from './linux-processes.ts';
import { readByPs } from './ps-processes.ts';

/** What `CLAWAI_SESSION` may be. */
const NAME = /^[A-Za-z0-9._:-]{1,128}$/;

/** Hexadecimal digits of a session that was not named. */
const DIGITS = 16;

export interface SessionIdOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/**
 * A source of the id of the session that this process belongs to. It is found when first asked for, since most processes that clients
 * start never decide a call.
 *
 * What `CLAWAI_SESSION` names counts where the client lets it through. Otherwise it is `s-` and a hash of which process the client is, so that all
 * middlemen of one run of a client agree, and those of another do not: by its pid, when it started, and the boot of the machine.
 *
 * Windows tells nothing about processes without code of its own, so there it is our parent's pid alone: middlemen that a launcher started
 * do not agree, and a run that gets the pid of an earlier one has its session. So it is wherever our parent can't be looked at. Nobody
 * can be agreed with by a process that has no parent any more; its session is random.
 */
export function createSessionId({ env, warn }: SessionIdOptions): () => string {
  let session: string | undefined;
  return () => (session ??= namedSession(env, warn) ?? sessionOfClient());
}

function namedSession(env: NodeJS.ProcessEnv, warn: (line: string) => void): string | undefined {
  const name = env['CLAWAI_SESSION'];
  // As with other programs, an empty variable is an unset one.
  if (name === undefined || name === '') return undefined;
  if (NAME.test(name)) return name;
  warn('CLAWAI_SESSION is ignored: a session has 1 to 128 letters, digits, dots, colons, dashes and underscores');
  return undefined;
}

function sessionOfClient(): string {
  const { ppid: parent, platform } = process;
  if (parent <= 1) return randomSession();
  if (platform === 'win32') return toSessionId('', parent, undefined);
  const isLinux = platform === 'linux';
  const readProcess = isLinux ? readLinuxProcess : readByPs();
  const scope = isLinux ? readLinuxScope() : '';
  const client = findClient({ parent, readProcess, stdin: isLinux ? readStdin('self') : undefined });
  if (client !== undefined) return toSessionId(scope, client.pid, client.started);
  // Our parent is there and can't be looked at, or it has only adopted us.
  return readProcess(parent) === undefined ? toSessionId(scope, parent, undefined) : randomSession();
}

/**
 * The session of a client's run. It is a hash and says nothing of the machine.
 *
 * @param scope in which pids are unique, and the clock of `started` is one
 */
export function toSessionId(scope: string, pid: number, started: number | undefined): string {
  const hash = createHash('sha256').update(JSON.stringify([scope, pid, started]));
  return `s-${hash.digest('hex').slice(0, DIGITS)}`;
}

function randomSession(): string {
  return `s-${randomBytes(DIGITS / 2).toString('hex')}`;
}
