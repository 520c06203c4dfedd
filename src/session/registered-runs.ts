import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isGone } from './asker.ts';
import type { Processes } from './processes.ts';
import { isSessionName } from './ids.ts';

/** A process that was registered, so that whatever it has started is of its session. */
interface Run {
  readonly session: string;
  readonly pid: number;
  /** As `ProcessInfo` has it; it tells the process from others that have had its pid. */
  readonly started: number;
  /** As `Processes` has it. */
  readonly scope: string;
}

/** Ancestors that are looked at; nobody nests launchers that deeply. */
const MOST_ANCESTORS = 32;

/** Files that a registration looks at to remove those of ended runs. */
const MOST_FILES = 1000;

const MOST_BYTES = 1024;

/** Never what a link leads to, and never waiting for a pipe's other end. (Windows has none of the flags, and no runs.) */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Where runs are registered: one small file for each, below the folder of the state. */
export function runsFolder(stateDirectory: string): string {
  return join(stateDirectory, 'runs');
}

/**
 * Registers this process, and removes what ended ones left behind.
 *
 * @returns takes it back; never throws
 * @throws Error where the folder can't be made or written, or the system doesn't say when this process started
 */
export function registerRun(folder: string, session: string, { readProcess, scope }: Processes): () => void {
  const { pid } = process;
  const started = readProcess(pid)?.started;
  if (started === undefined) throw new Error('the system does not say when this process started');
  makePrivate(folder);
  removeEnded(folder, { readProcess, scope });
  const file = join(folder, fileName(pid, scope));
  // What is there still has our pid, so whoever wrote it has ended.
  remove(file);
  const run: Run = { session, pid, started, scope };
  writeFileSync(file, JSON.stringify(run), { mode: 0o600, flag: 'wx' });
  return () => remove(file);
}

/**
 * The session of the nearest of a process's ancestors, the process among them, that is registered and still runs. A folder that is not
 * there costs one system call. Links, and what somebody else has written or could have, are not followed. Never throws.
 *
 * @param parent pid of the first to be looked at
 */
export function findRegisteredRun(
  folder: string,
  parent: number,
  { readProcess, scope }: Pick<Processes, 'readProcess' | 'scope'>,
): string | undefined {
  if (!isOurFolder(folder)) return undefined;
  let child: number | undefined;
  let pid = parent;
  // The first process of a container may be a run.
  for (let looked = 0; looked < MOST_ANCESTORS && pid > 0; looked++) {
    const ancestor = readProcess(pid);
    if (ancestor === undefined) return undefined;
    // Younger than its child: the parent has ended, and its pid is that of another process now.
    if (child !== undefined && ancestor.started > child) return undefined;
    const run = readRun(join(folder, fileName(pid, scope)));
    if (run?.pid === pid && run.started === ancestor.started && run.scope === scope) return run.session;
    child = ancestor.started;
    pid = ancestor.parent;
  }
  return undefined;
}

/**
 * Notes which of its sessions a client says it is in, for those who find that client and are not told. Best effort: who can't read it there
 * goes by the client's process alone. Never throws.
 */
export function noteTold(
  folder: string,
  { session, pid, started }: Omit<Run, 'scope'>,
  { readProcess, scope }: Pick<Processes, 'readProcess' | 'scope'>,
): void {
  try {
    const file = join(folder, `${fileName(pid, scope)}.told`);
    const run: Run = { session, pid, started, scope };
    if (JSON.stringify(readRun(file)) === JSON.stringify(run)) return;
    makePrivate(folder);
    removeEnded(folder, { readProcess, scope });
    // Put in place as a whole: others read it meanwhile.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(run), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The folder of the state can't be used, which is said where something is to be recorded.
  }
}

/** What `noteTold` has noted last of a client's process. Costs one system call where there is nothing. Never throws. */
export function findTold(folder: string, { pid, started }: Omit<Run, 'scope' | 'session'>, scope: string): string | undefined {
  if (!isOurFolder(folder)) return undefined;
  const run = readRun(join(folder, `${fileName(pid, scope)}.told`));
  return run?.pid === pid && run.started === started && run.scope === scope ? run.session : undefined;
}

/** Containers may share the folder and have the same pids. */
function fileName(pid: number, scope: string): string {
  return `${pid}-${createHash('sha256').update(scope).digest('hex').slice(0, 8)}`;
}

function removeEnded(folder: string, { readProcess, scope }: Pick<Processes, 'readProcess' | 'scope'>): void {
  for (const name of readdirSync(folder).slice(0, MOST_FILES)) {
    const pid = Number(/^(\d+)-[0-9a-f]{8}(?:\.told(?:\.\d+)?)?$/.exec(name)?.[1]);
    if (!Number.isSafeInteger(pid)) continue;
    const file = join(folder, name);
    const run = readRun(file);
    // Without a scope it is one machine, whose processes were all looked at just now.
    const isOver =
      run !== undefined && scope === ''
        ? readProcess(run.pid)?.started !== run.started
        : isGone({ pid, started: run === undefined ? '' : `${run.started} ${run.scope}` });
    if (isOver) remove(file);
  }
}

/** Undefined where there is none, or something else than this code has written. */
function readRun(file: string): Run | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, READ);
    const found = fstatSync(descriptor);
    if (!found.isFile() || !isOurs(found) || found.size > MOST_BYTES) return undefined;
    const bytes = Buffer.alloc(MOST_BYTES);
    return toRun(JSON.parse(bytes.toString('utf8', 0, readSync(descriptor, bytes))));
  } catch {
    // No file, a link, or no JSON: nothing that counts.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function toRun(value: unknown): Run | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { session, pid, started, scope } = value as Partial<Record<string, unknown>>;
  if (typeof session !== 'string' || !isSessionName(session) || typeof scope !== 'string') return undefined;
  return typeof pid === 'number' && typeof started === 'number' ? { session, pid, started, scope } : undefined;
}

function isOurFolder(folder: string): boolean {
  try {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    return found?.isDirectory() === true && isOurs(found);
  } catch {
    // The folder of the state can't be used, which is said where something is to be recorded.
    return false;
  }
}

/** Is it the user's, and can nobody else write it? */
function isOurs({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

function makePrivate(folder: string): void {
  makeFolder(folder);
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${folder} is not a folder of yours`);
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** One by one: Node's own recursive way tries for ever where a file system says that the folder above is missing although it is there. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it just now.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It is gone already, or what is left of it counts for nothing once its process has ended.
  }
}
