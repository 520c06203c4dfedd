import { createHash } from 'node:crypto';
import { findClientSession } from './client-session.ts';
import { findClient } from './find-client.ts';
import { isSessionName, NAME_RULE, randomSessionId, toSessionId } from './ids.ts';
import { lookAtProcesses, type Processes } from './processes.ts';
import { findRegisteredRun, noteTold } from './registered-runs.ts';

/** Hexadecimal digits of a session that is known by what its client was given. */
const DIGITS = 16;

export interface SessionOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Where runs are registered. */
  readonly runs: string;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/** The session that this process belongs to. */
export interface Session {
  /** It is found when first asked for, since most processes that clients start never decide a call. */
  id(): string;
  /** Somebody has named it: whatever has that name is of the same run of an agent. */
  isGiven(): boolean;
  /**
   * Goes on with the session that there is now under the name that was found. A session that somebody has named stays: who named it says
   * when it ends.
   *
   * @param find where it throws, nothing has changed
   * @returns a session that goes on as this one from now on; undefined where that is none
   */
  follow(find: FindCurrent): string | undefined;
}

/** The session that goes on under a name. @param servers where one is going on that has any of them, it is that */
export type FindCurrent = (name: string, servers?: readonly string[]) => string;

interface Found {
  readonly name: string;
  /** Somebody has named it, and no idle time ends it. */
  readonly isGiven: boolean;
  /** By its client's process, where the client itself calls it otherwise: who found only the process is in the session of that name. */
  readonly byProcess?: string | undefined;
}

/**
 * A source of the session that this process belongs to. Its name is, in this order,
 * - what `CLAWAI_SESSION` says, where the client lets it through;
 * - that of the nearest of our ancestors that is registered as a run, which needs no variable;
 * - the id that the client itself gives its session, in a variable of its own;
 * - `s-` and a hash of which process the client is (by its pid, when it started, and the boot of the machine), so that all middlemen of
 *   one run of a client agree, and those of another do not.
 *
 * Windows tells nothing about processes without code of its own. What variables say counts there, and otherwise our parent's pid alone:
 * middlemen that a launcher started do not agree, and a run that gets the pid of an earlier one has its session. So it is wherever our
 * parent can't be looked at. Nobody can be agreed with by a process that has no parent any more; its session is random.
 */
export function createSession(options: SessionOptions): Session {
  let found: Found | undefined;
  let current: string | undefined;
  const find = (): Found => (found ??= findSession(options));
  return {
    id: () => current ?? find().name,
    isGiven: () => find().isGiven,
    follow(findCurrent) {
      const { name, isGiven, byProcess } = find();
      if (isGiven) return undefined;
      const isFirst = current === undefined;
      current = findCurrent(name);
      return isFirst && byProcess !== undefined ? findCurrent(byProcess) : undefined;
    },
  };
}

function findSession({ env, runs, warn }: SessionOptions): Found {
  const given = givenName(env, warn);
  if (given !== undefined) return { name: given, isGiven: true };
  const parent = process.ppid;
  const processes = lookAtProcesses();
  const run = processes === undefined ? undefined : findRegisteredRun(runs, parent, processes);
  if (run !== undefined) return { name: run, isGiven: true };
  const told = findClientSession({ env, parent, readProcess: processes?.readProcess });
  if (told === undefined) return { name: sessionOfClient(parent, processes), isGiven: false };
  const client = processes && findClient({ parent, ...processes });
  if (processes === undefined || client === undefined) return { name: told, isGiven: false };
  noteTold(runs, { session: told, pid: client.pid, started: client.started }, processes);
  return { name: told, isGiven: false, byProcess: toSessionId(processes.scope, client.pid, client.started) };
}

/** What `CLAWAI_SESSION` says. */
export function givenName(env: NodeJS.ProcessEnv, warn: (line: string) => void): string | undefined {
  const name = env['CLAWAI_SESSION'];
  // As with other programs, an empty variable is an unset one.
  if (name === undefined || name === '') return undefined;
  if (isSessionName(name)) return name;
  warn(`CLAWAI_SESSION is ignored: ${NAME_RULE}`);
  return undefined;
}

function sessionOfClient(parent: number, processes: Processes | undefined): string {
  if (parent <= 1) return randomSessionId();
  if (processes === undefined) return toSessionId('', parent, undefined);
  const { readProcess, scope, stdin } = processes;
  const client = findClient({ parent, readProcess, stdin });
  if (client !== undefined) return toSessionId(scope, client.pid, client.started);
  // Our parent is there and can't be looked at, or it has only adopted us.
  return readProcess(parent) === undefined ? toSessionId(scope, parent, undefined) : randomSessionId();
}

/** A session that somebody has named, and of which they say when it ends. */
export function givenSession(name: string): Session {
  return { id: () => name, isGiven: () => true, follow: () => undefined };
}

/**
 * The session of all that comes under one word, such as that of the client whose config names the URLs it comes by. It says nothing of the
 * word. When nothing has happened in it for long, it goes on under another name.
 *
 * @param findServers servers whose session it is as soon as they are in one; what was noted by then goes on in that
 */
export function createNamedSession(word: string, findServers: () => readonly string[] = () => []): Session {
  const name = `u-${createHash('sha256').update(word).digest('hex').slice(0, DIGITS)}`;
  let current: string | undefined;
  return {
    id: () => current ?? name,
    isGiven: () => false,
    follow(findCurrent) {
      const next = findCurrent(name, findServers());
      const before = current ?? name;
      current = next;
      return isUnder(name, before) && !isUnder(name, next) ? before : undefined;
    },
  };
}

function isUnder(name: string, session: string): boolean {
  return session === name || session.startsWith(`${name}.`);
}
