import { createHash } from 'node:crypto';
import { findClient } from './find-client.ts';
import { isSessionName, NAME_RULE, randomSessionId, toSessionId } from './ids.ts';
import { lookAtProcesses, type Processes, type ProcessInfo, type ReadProcess } from './processes.ts';
import { findRegisteredRun, noteNamedSession } from './registered-runs.ts';
import { AGENT_PACKAGE, findAgent, isAgentName, programName, programWords } from './find-agent.ts';

/** Hexadecimal digits of a session that is derived from a word. */
const DIGITS = 16;

interface SessionOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The folder of registered runs. */
  readonly runs: string;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/** The session that this process belongs to. */
export interface Session {
  /** Returns the session's id. It is computed when first asked for, since most processes that clients start never decide a call. */
  id(): string;
  /** True if somebody named the session: everything with that name is one run of an agent. */
  isGiven(): boolean;
  /**
   * Switches to the session that now goes on under the found name. A named session never switches: its namer decides when it ends.
   *
   * @param find if it throws, nothing has changed
   * @returns a session that continues in this one from now on; undefined if there is none
   */
  follow(find: FindCurrent): string | undefined;
}

/** Returns the session that goes on under a name. @param servers a session that already has any of these servers takes precedence */
type FindCurrent = (name: string, servers?: readonly string[]) => string;

interface Found {
  readonly name: string;
  /** True if somebody named it, so that no idle time ends it. */
  readonly isGiven: boolean;
  /** The name by the client's process, if the client itself uses another: processes that found only the process use this one. */
  readonly byProcess?: string | undefined;
}

/**
 * Creates the source of the session that this process belongs to. Its name is the first of
 * - the value of `CLAWAI_SESSION`, if the client passes it on;
 * - the session of the nearest ancestor that is registered as a run, which needs no variable;
 * - the client's own id of its session, from a variable of the client;
 * - `s-` and a hash of the client's process (its pid, its start, and the boot of the machine), so that all proxies of one run of a client
 *   agree, and those of another do not.
 *
 * On Windows, inspecting processes needs native code. There the variables count, and otherwise the parent's pid alone: proxies behind a
 * launcher do not agree, and a run that reuses an earlier pid shares its session. The same holds wherever the parent can't be inspected. A
 * process without a parent can't agree with any other, so its session is random.
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
  const named = findClientSession({ env, parent, readProcess: processes?.readProcess });
  if (named === undefined) return { name: sessionOfClient(parent, processes), isGiven: false };
  const client = processes && findClient({ parent, ...processes });
  if (processes === undefined || client === undefined) return { name: named, isGiven: false };
  noteNamedSession(runs, { session: named, pid: client.pid, started: client.started }, processes);
  return { name: named, isGiven: false, byProcess: toSessionId(processes.scope, client.pid, client.started) };
}

/** Returns the value of `CLAWAI_SESSION`. */
export function givenName(env: NodeJS.ProcessEnv, warn: (line: string) => void): string | undefined {
  const name = env['CLAWAI_SESSION'];
  // An empty variable counts as unset, as in other programs.
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
  // The parent exists but can't be inspected, or it only adopted us.
  return readProcess(parent) === undefined ? toSessionId(scope, parent, undefined) : randomSessionId();
}

/** Creates a session that somebody named; they decide when it ends. */
export function givenSession(name: string): Session {
  return { id: () => name, isGiven: () => true, follow: () => undefined };
}

/**
 * Creates the session of everything that comes under one word, such as the client whose config contains the URLs. The name does not reveal
 * the word. After a long idle time it goes on under another name.
 *
 * @param findServers servers whose session it joins as soon as they are in one; what was noted before continues there
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

/** A client that passes the id of its session to the processes it starts. */
interface TellingClient {
  readonly name: string;
  readonly variable: string;
  readonly programs: ReadonlySet<string>;
  readonly package: RegExp;
}

const TELLING: readonly TellingClient[] = [
  {
    name: 'claude',
    variable: 'CLAUDE_CODE_SESSION_ID',
    // Claude Desktop is `Claude`, and sets no such variable.
    programs: new Set(['claude', 'claude-code']),
    package: /[/\\]@anthropic-ai[/\\]claude-code[/\\]/,
  },
  {
    name: 'copilot',
    variable: 'COPILOT_AGENT_SESSION_ID',
    programs: new Set(['copilot']),
    package: /[/\\]@github[/\\]copilot[/\\]/,
  },
];

/** Editors that contain clients. On macOS their processes are known by the path of the application. */
const EDITORS: ReadonlySet<string> = new Set('code code-insiders codium cursor vscodium windsurf zed zed-editor'.split(' '));
const EDITOR_APPLICATION = /^\/.*\/(?:Cursor|VSCodium|Visual Studio Code|Windsurf|Zed)[^/]*\.app\//;

/** Clients' ids are UUIDs; a much shorter one may be shared by several runs. */
const ID = /^[A-Za-z0-9_-]{8,64}$/;

interface ClientSessionOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Pid of this process's parent. */
  readonly parent: number;
  /** Undefined if processes can't be inspected. */
  readonly readProcess: ReadProcess | undefined;
}

/**
 * Finds the session that our client names: `claude-<id>`, `copilot-<id>`. Variables are inherited, so another agent started from such a
 * client's terminal has them too. So the nearest ancestor that is a known client decides whose variable counts. If none is known, or none
 * can be inspected, the variable counts only if it is the only one set.
 *
 * @returns undefined if the client names none, or it is ambiguous
 */
export function findClientSession({ env, parent, readProcess }: ClientSessionOptions): string | undefined {
  const named = TELLING.filter(({ variable }) => ID.test(env[variable] ?? ''));
  if (named.length === 0) return undefined;
  const nearest = readProcess === undefined ? undefined : findAgent(parent, readProcess, isKnownClient);
  const [client, another] = nearest === undefined ? named : named.filter((each) => isOf(each, nearest));
  if (client === undefined || another !== undefined) return undefined;
  return `${client.name}-${env[client.variable] ?? ''}`;
}

function isOf(client: TellingClient, { name, words }: ProcessInfo): boolean {
  return [name, ...programWords(words)].some((word) => client.programs.has(programName(word)) || client.package.test(word));
}

/** Tells whether this process is a client by name, or an editor that contains one. */
export function isKnownClient({ name, words }: ProcessInfo): boolean {
  if (EDITOR_APPLICATION.test(words.join(' '))) return true;
  return [name, ...programWords(words)].some((word) => {
    const program = programName(word);
    return isAgentName(program) || EDITORS.has(program.toLowerCase()) || AGENT_PACKAGE.test(word);
  });
}
