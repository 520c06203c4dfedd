import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ClawaiError, type ErrorCode } from '../errors.ts';

/** SQLite's result codes that are distinguished here: https://www.sqlite.org/rescode.html */
const SQLITE = {
  error: 1,
  permission: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const;

/** Extended result codes of WAL mode's shared memory file: it can't be opened, grown, locked or mapped. */
const SHARED_MEMORY: readonly number[] = [4618, 4874, 5130, 5386];
/** The opened file was deleted or renamed. */
const MOVED = 1032;
/** A read-only file with a transaction that must be rolled back first. */
const NEEDS_ROLLBACK = 776;

const FULL_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const DENIED_CODES: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS'];

const HINT = {
  corrupt: 'move the file away, and clawai starts a new one; keep the old one if it may be evidence',
  readOnly:
    'make sure that you own the file and its folder and can write to them, or set state_dir in config.toml to a folder that you can write to',
  full: 'free some space on that disk, or lower max_size under [audit] in config.toml',
  unavailable: 'make sure that its folder is on a local disk that works, or set state_dir in config.toml to such a folder',
} as const;

/** Tells whether another process holds the store, so that trying again is worthwhile. */
export function isBusy(thrown: unknown): boolean {
  const code = extendedCode(thrown);
  if (code === undefined) return false;
  return code === MOVED || (code & 0xff) === SQLITE.busy || (code & 0xff) === SQLITE.locked;
}

/** Tells whether another process holds the lock. */
export function isLocked(thrown: unknown): boolean {
  return ((extendedCode(thrown) ?? 0) & 0xff) === SQLITE.busy;
}

/** Tells whether reading failed because a crashed process's transaction must be rolled back first. */
export function needsRollback(thrown: unknown): boolean {
  return extendedCode(thrown) === NEEDS_ROLLBACK;
}

/** Tells whether this file system lacks what WAL mode needs, as network shares do. */
export function lacksSharedMemory(thrown: unknown): boolean {
  const code = extendedCode(thrown);
  return code !== undefined && (SHARED_MEMORY.includes(code) || (code & 0xff) === SQLITE.protocol);
}

/**
 * Turns an error of SQLite or the operating system about a written store into an error for people. Other errors, which are bugs, stay as
 * they are.
 */
export function toWriteFault(file: string, thrown: unknown): unknown {
  if (thrown instanceof ClawaiError) return thrown;
  const fault = (message: string, code: ErrorCode, hint: string): ClawaiError =>
    new ClawaiError(`${file} ${message}`, { code, place: { file }, hint, cause: thrown });
  const code = extendedCode(thrown);
  if (code === undefined) return fromSystem(thrown, fault);
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  switch (code & 0xff) {
    case SQLITE.busy:
    case SQLITE.locked:
      return fault('is in use by another process', 'store_busy', 'try again in a moment');
    case SQLITE.notADatabase:
      return fault('is not a store: it is not an SQLite file, or its beginning is damaged', 'store_corrupt', HINT.corrupt);
    case SQLITE.corrupt:
    case SQLITE.error:
      // Our SQL is fixed, so an error in it means that the tables are damaged.
      return fault(`is damaged: ${reason}`, 'store_corrupt', HINT.corrupt);
    case SQLITE.full:
      return fault('cannot grow: the disk is full', 'store_full', HINT.full);
    case SQLITE.readOnly:
    case SQLITE.permission:
      return fault('is not writable', 'store_read_only', HINT.readOnly);
    case SQLITE.cannotOpen:
    case SQLITE.ioError:
    case SQLITE.protocol:
      // SQLite says only that it failed; the folder shows why.
      if (isFull(file)) return fault('cannot grow: the disk is full', 'store_full', HINT.full);
      if (!mayWrite(file)) return fault('is not writable', 'store_read_only', HINT.readOnly);
      return fault(`cannot be used: ${reason}`, 'store_unavailable', HINT.unavailable);
    default:
      return thrown;
  }
}

function fromSystem(thrown: unknown, fault: (message: string, code: ErrorCode, hint: string) => ClawaiError): unknown {
  if (!(thrown instanceof Error) || !('syscall' in thrown) || !('code' in thrown)) return thrown;
  if (FULL_CODES.includes(thrown.code)) return fault('cannot be created: the disk is full', 'store_full', HINT.full);
  if (DENIED_CODES.includes(thrown.code)) return fault('is not writable', 'store_read_only', HINT.readOnly);
  return fault(`cannot be used: ${thrown.message}`, 'store_unavailable', HINT.unavailable);
}

/** Returns SQLite's extended result code, or undefined if this is not an error of SQLite's. */
function extendedCode(thrown: unknown): number | undefined {
  return thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number' ? thrown.errcode : undefined;
}

function isFull(file: string): boolean {
  try {
    return statfsSync(dirname(file)).bavail === 0;
  } catch {
    // If even this fails, the disk is not merely full.
    return false;
  }
}

function mayWrite(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
    return true;
  } catch {
    // The reason doesn't matter.
    return false;
  }
}
