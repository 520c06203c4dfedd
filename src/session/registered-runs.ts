import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isGone } from './asker.ts';
import type { Processes } from './processes.ts';
import { isSessionName } from './ids.ts';
import { makePrivateFolder } from '../host/make-folder.ts';

/** A registered process: all its descendants belong to its session. */
interface Run {
  readonly session: string;
  readonly pid: number;
  /** The start as in `ProcessInfo`; it tells the process from earlier ones with its pid. */
  readonly started: number;
  /** The scope as in `Processes`. */
  readonly scope: string;
}

/** Most ancestors inspected; nobody nests launchers that deeply. */
const MOST_ANCESTORS = 32;

/** Files that a registration checks to remove those of ended runs. */
const MOST_FILES = 1000;

const MOST_BYTES = 1024;

/** Opens for reading without following a link or waiting for a pipe's writer. (Windows has none of the flags, and no runs.) */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Returns the folder of registered runs, one small file each, below the state folder. */
export function runsFolder(stateDirectory: string): string {
  return join(stateDirectory, 'runs');
}

/**
 * Registers this process, and removes the files of ended ones.
 *
 * @returns a function that removes the registration; it never throws
 * @throws Error if the folder can't be created or written, or the system doesn't tell when this process started
 */
export function registerRun(folder: string, session: string, { readProcess, scope }: Processes): () => void {
  const { pid } = process;
  const started = readProcess(pid)?.started;
  if (started === undefined) throw new Error('the system does not say when this process started');
  makePrivate(folder);
  removeEnded(folder, { readProcess, scope });
  const file = join(folder, fileName(pid, scope));
  // An existing file has our pid, so the process that wrote it has ended.
  remove(file);
  const run: Run = { session, pid, started, scope };
  writeFileSync(file, JSON.stringify(run), { mode: 0o600, flag: 'wx' });
  return () => remove(file);
}

/**
 * Returns the session of the nearest registered and running process among `parent` and its ancestors. A missing folder costs one system
 * call. Links, and files that others wrote or could write, are ignored. Never throws.
 *
 * @param parent pid of the first process to check
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
    // A parent younger than its child has taken over the pid of the real parent, which has ended.
    if (child !== undefined && ancestor.started > child) return undefined;
    const run = readRun(join(folder, fileName(pid, scope)));
    if (run?.pid === pid && run.started === ancestor.started && run.scope === scope) return run.session;
    child = ancestor.started;
    pid = ancestor.parent;
  }
  return undefined;
}

/**
 * Notes which session a client says it is in, for processes that find that client but don't get its variable. Best effort: if it can't be
 * read, they go by the client's process alone. Never throws.
 */
export function noteNamedSession(
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
    // The rename replaces the file as a whole, since others read it meanwhile.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(run), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The state folder can't be used, which is reported when something is recorded.
  }
}

/** Returns what `noteNamedSession` last noted for a client's process. A missing folder costs one system call. Never throws. */
export function findNamedSession(
  folder: string,
  { pid, started }: Omit<Run, 'scope' | 'session'>,
  scope: string,
): string | undefined {
  if (!isOurFolder(folder)) return undefined;
  const run = readRun(join(folder, `${fileName(pid, scope)}.told`));
  return run?.pid === pid && run.started === started && run.scope === scope ? run.session : undefined;
}

/** Hashes the scope into the name: containers may share the folder and have the same pids. */
function fileName(pid: number, scope: string): string {
  return `${pid}-${createHash('sha256').update(scope).digest('hex').slice(0, 8)}`;
}

function removeEnded(folder: string, { readProcess, scope }: Pick<Processes, 'readProcess' | 'scope'>): void {
  for (const name of readdirSync(folder).slice(0, MOST_FILES)) {
    const pid = Number(/^(\d+)-[0-9a-f]{8}(?:\.told(?:\.\d+)?)?$/.exec(name)?.[1]);
    if (!Number.isSafeInteger(pid)) continue;
    const file = join(folder, name);
    const run = readRun(file);
    // Without a scope there is one machine, whose processes were all just read.
    const isOver =
      run !== undefined && scope === ''
        ? readProcess(run.pid)?.started !== run.started
        : isGone({ pid, started: run === undefined ? '' : `${run.started} ${run.scope}` });
    if (isOver) remove(file);
  }
}

/** Reads a run; undefined if the file is missing or was not written by this code. */
function readRun(file: string): Run | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, READ);
    const found = fstatSync(descriptor);
    if (!found.isFile() || !isOurs(found) || found.size > MOST_BYTES) return undefined;
    const bytes = Buffer.alloc(MOST_BYTES);
    return toRun(JSON.parse(bytes.toString('utf8', 0, readSync(descriptor, bytes))));
  } catch {
    // The file is missing, a link, or not JSON, so it does not count.
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
    // The state folder can't be used, which is reported when something is recorded.
    return false;
  }
}

/** Tells whether the file is the user's and nobody else can write it. */
function isOurs({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

function makePrivate(folder: string): void {
  makePrivateFolder(folder);
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${folder} is not a folder of yours`);
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // The file is gone already, or it stops counting once its process has ended.
  }
}
