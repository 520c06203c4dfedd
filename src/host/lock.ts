import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { ClawaiError, type ErrorCode } from '../errors.ts';
import { type Checkpoint, codeOf, NO_CHECKPOINT, toDiskError } from './disk.ts';
import { isRunning } from './machine.ts';

/** Milliseconds between touches of a held lock's folder; a tenth of what the known clients call stale leaves room for a slow disk. */
const TOUCH_EVERY_MS = 1000;

/** Milliseconds between two attempts; the least is what Cline uses. A random part keeps waiters out of step. */
const POLL_MS = 25;
const POLL_SPREAD_MS = 25;

export interface LockOptions {
  /** The folder that is the lock. */
  readonly path: string;
  /** `directory`: an empty folder. `owned-directory`: it holds `owner.<token>` from the moment it appears. */
  readonly kind: 'directory' | 'owned-directory';
  /** A lock that was not touched for this long is abandoned, and is taken over. */
  readonly staleAfterMs: number;
  /** Milliseconds to wait for the holder. */
  readonly waitMs: number;
  /** The thing that is locked, as errors name it. */
  readonly purpose: string;
  /**
   * The owner's name begins with its process id, and the lock is void once that process is gone. Only for locks that no other program
   * takes.
   */
  readonly diesWithOwner?: boolean | undefined;
  /** The code of its errors, if the lock is not for a client's config. */
  readonly code?: ErrorCode | undefined;
  readonly checkpoint?: Checkpoint | undefined;
}

/** A lock that this process holds. */
export interface Lock {
  /** Shows that we still need the lock. @throws ClawaiError `client_config_busy` if another process took it over */
  readonly refresh: () => void;
  /** Releases the lock, unless another process took it over. */
  readonly release: () => void;
}

/**
 * Takes the lock, once its holder has released or abandoned it. It waits asynchronously, and also touches the held lock asynchronously:
 * synchronous work that may take seconds calls `refresh` between its steps.
 *
 * @throws ClawaiError `client_config_busy` after `waitMs`; `client_config_unwritable` if no lock can be created
 */
export async function takeLock(options: LockOptions): Promise<Lock> {
  const until = performance.now() + options.waitMs;
  for (;;) {
    const lock = tryLock(options, until);
    if (lock !== undefined) return touching(lock);
    await rest(pollMs());
  }
}

/**
 * Runs something short while it holds the lock. Waiting for another holder blocks this process.
 *
 * @throws ClawaiError as `takeLock`, and whatever `action` throws
 */
export function whileLocked<T>(options: LockOptions, action: () => T): T {
  const until = performance.now() + options.waitMs;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  let lock = tryLock(options, until);
  while (lock === undefined) {
    Atomics.wait(cell, 0, 0, pollMs());
    lock = tryLock(options, until);
  }
  try {
    return action();
  } finally {
    lock.release();
  }
}

function pollMs(): number {
  return POLL_MS + Math.random() * POLL_SPREAD_MS;
}

/** Undefined while somebody else holds the lock. @throws ClawaiError if it is still held after `until` */
function tryLock(options: LockOptions, until: number): Lock | undefined {
  const { path, waitMs, purpose, code = 'client_config_busy' } = options;
  const lock = attempt(options) ?? (takeOver(options) ? attempt(options) : undefined);
  if (lock !== undefined || performance.now() < until) return lock;
  throw new ClawaiError(`${purpose} is being changed by another program: its lock was not released within ${waitMs / 1000} s`, {
    code,
    place: { file: path },
    hint: `try again; if no program is running that could hold it, remove ${path}`,
  });
}

function attempt(options: LockOptions): Lock | undefined {
  try {
    return options.kind === 'directory' ? takeEmpty(options) : takeOwned(options);
  } catch (error) {
    throw toDiskError(error, {
      file: options.purpose,
      failure: 'cannot be locked',
      code: options.code ?? 'client_config_unwritable',
    });
  }
}

function takeEmpty({ path, purpose, checkpoint = NO_CHECKPOINT }: LockOptions): Lock | undefined {
  try {
    checkpoint('lock:take');
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // A file of that name is not a lock: other tools leave one there, and clients that lock with folders ignore it.
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? { refresh() {}, release() {} } : undefined;
  }
  // Nobody else touches the folder of a live lock, so another time means another's folder (inode numbers are reused at once).
  let mine = identityOf(path);
  const isMine = (): boolean => mine !== undefined && identityOf(path) === mine;
  return {
    refresh() {
      if (!isMine()) throw lost(path, purpose);
      touch(path);
      mine = identityOf(path);
    },
    release() {
      checkpoint('lock:release');
      if (isMine()) ignoreMissing(() => rmdirSync(path));
    },
  };
}

function takeOwned({ path, purpose, diesWithOwner = false, checkpoint = NO_CHECKPOINT }: LockOptions): Lock | undefined {
  if (diesWithOwner) removeStaged(path);
  const token = `${process.pid}.${Date.now()}.${randomUUID()}.${hostname()}`;
  const staging = `${path}.tmp.${token}`;
  const owner = join(path, `owner.${token}`);
  try {
    checkpoint('lock:stage');
    mkdirSync(staging, { mode: 0o700 });
    checkpoint('lock:own');
    writeFileSync(join(staging, `owner.${token}`), token, { flag: 'wx', mode: 0o600 });
    checkpoint('lock:take');
    // The rename fails if the folder has content; it succeeds over an empty one, which is never a live lock of this kind.
    renameSync(staging, path);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    // On Windows, a rename over any folder is refused without a specific code.
    if (['EEXIST', 'ENOTEMPTY'].includes(codeOf(error) ?? '') || existsSync(path)) return undefined;
    throw error;
  }
  return {
    refresh() {
      if (!existsSync(owner)) throw lost(path, purpose);
      touch(path);
    },
    release() {
      ignoreMissing(() => {
        checkpoint('lock:disown');
        unlinkSync(owner);
        checkpoint('lock:release');
        rmdirSync(path);
      });
    },
  };
}

/** Removes what killed processes left beside this lock while taking it or taking it over. */
function removeStaged(path: string): void {
  const prefix = `${basename(path)}.`;
  try {
    for (const name of readdirSync(dirname(path))) {
      const match = name.startsWith(prefix) ? /^(?:tmp|stale)\.(\d+)\./.exec(name.slice(prefix.length)) : null;
      // Nobody here can tell whether a process of another machine runs.
      const isHere = name.endsWith(`.${hostname()}`);
      if (match !== null && isHere && !isRunning(Number(match[1])))
        rmSync(join(dirname(path), name), { recursive: true, force: true });
    }
  } catch {
    // Cleaning is optional.
  }
}

/** Moves an abandoned lock out of the way. True if it did. */
function takeOver(options: LockOptions): boolean {
  const { path } = options;
  if (!isLeftBehind(options, path)) return false;
  const aside = `${path}.stale.${process.pid}.${randomUUID()}.${hostname()}`;
  try {
    renameSync(path, aside);
  } catch {
    // Another process took it over or released it first; or it can't be moved, and then the wait times out.
    return false;
  }
  if (!isLeftBehind(options, aside)) {
    // Another process had taken it over between the check and the rename, so it goes back. If yet another lock is there by now, the process
    // whose folder is gone notices before it writes.
    try {
      if (!existsSync(path)) renameSync(aside, path);
    } catch {
      // A third lock is there by now.
    }
    return false;
  }
  rmSync(aside, { recursive: true, force: true });
  return true;
}

function isLeftBehind({ staleAfterMs, diesWithOwner = false }: LockOptions, path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return false;
  return Date.now() - stats.mtimeMs > staleAfterMs || (diesWithOwner && ownerIsGone(path));
}

function ownerIsGone(path: string): boolean {
  try {
    const owner = readdirSync(path).find((name) => name.startsWith('owner.'));
    // A process of another machine that shares the folder can't be checked.
    if (owner === undefined || !owner.endsWith(`.${hostname()}`)) return false;
    return !isRunning(Number(owner.split('.')[1]));
  } catch {
    // The lock was just released.
    return false;
  }
}

function touching(lock: Lock): Lock {
  const timer = setInterval(() => {
    try {
      lock.refresh();
    } catch {
      // The lock was lost; the next explicit refresh reports it before anything is written.
    }
  }, TOUCH_EVERY_MS);
  timer.unref();
  return {
    refresh: lock.refresh,
    release() {
      clearInterval(timer);
      lock.release();
    },
  };
}

function touch(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? undefined : `${stats.ino}.${stats.mtimeNs}`;
}

function lost(path: string, purpose: string): ClawaiError {
  return new ClawaiError(`${purpose}: another program took over the lock while it was held`, {
    code: 'client_config_busy',
    place: { file: path },
    hint: 'try again',
  });
}

function ignoreMissing(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    // The lock was taken over meanwhile, so nothing of ours is left to remove.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
}
