import { createHash } from 'node:crypto';
import { accessSync, constants, closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { type Checkpoint, NO_CHECKPOINT, toDiskError } from '../../host/disk.ts';
import { type Lock, takeLock } from '../../host/lock.ts';
import { type ConfigGroup, type ConfigText, readConfig, resolveTarget } from './read-config.ts';
import { type FoundRecord, sha256, type StateFolder } from './state-folder.ts';
import type { FileRecord } from './state-record.ts';

/** How often a change is planned anew because the client wrote the file in between. */
const MAX_ROUNDS = 5;

/** Claude Code itself gives up after 17 s; a lock that was left behind is stale after 10. */
const CLIENT_LOCK_WAIT_MS = 15_000;

/** Other runs of ours each hold it for a fraction of a second, or while they wait for a client. */
const OWN_LOCK_WAIT_MS = 60_000;
const OWN_LOCK_STALE_MS = 10_000;

/** What shall become of a file. */
export interface FileChange<T> {
  /** Its new bytes; undefined leaves it alone. */
  readonly bytes?: Uint8Array | undefined;
  /** What we remember of it when the bytes are there: a record, nothing any more, or (where the file is left alone) what is known. */
  readonly record: FileRecord | 'none' | 'as-is';
  /** What we remember while the change is under way: everything that is ours in the old bytes or in the new ones. */
  readonly during?: FileRecord | undefined;
  /** What has to be done before the file gets its new bytes; where it throws, the file is left alone. */
  readonly prepare?: (() => void) | undefined;
  /** What has to be done once the file is as it shall be. */
  readonly settle?: (() => void) | undefined;
  readonly report: T;
}

export interface ChangeOptions {
  readonly state: StateFolder;
  readonly checkpoint?: Checkpoint | undefined;
  /** Milliseconds to wait for a client that holds its lock; for tests. */
  readonly clientLockWaitMs?: number | undefined;
}

/**
 * Changes one config under all locks: reads it, has the change computed, writes what we remember, then the file, then what we remember
 * now. Whenever this process ends, the file is the old or the new one, and the record says of both that they are ours. Where
 * somebody writes the file in between, all of it is done again.
 *
 * @throws ClawaiError where it can't be read, locked or written, or never rests; the file is as it was, or another program's
 */
export async function changeFile<T>(
  group: ConfigGroup,
  compute: (config: ConfigText, found: FoundRecord) => FileChange<T>,
  options: ChangeOptions,
): Promise<T> {
  const { state } = options;
  state.prepare();
  const locks = [await takeOwnLock(state, options.checkpoint)];
  try {
    locks.push(...(await takeClientLocks(group, options)));
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const outcome = attempt({ group, compute, locks, options });
      if (outcome !== undefined) return outcome.report;
    }
  } finally {
    for (const lock of locks.toReversed()) lock.release();
  }
  const [{ file, client }] = group.located;
  throw new ClawaiError(`${file} keeps changing while it is being edited`, {
    code: 'client_config_busy',
    place: { file },
    hint: `quit ${client.name} and try again`,
  });
}

interface Attempt<T> {
  readonly group: ConfigGroup;
  readonly compute: (config: ConfigText, found: FoundRecord) => FileChange<T>;
  readonly locks: readonly Lock[];
  readonly options: ChangeOptions;
}

/** One round; undefined where the file was written by somebody else meanwhile. */
function attempt<T>({ group, compute, locks, options }: Attempt<T>): { readonly report: T } | undefined {
  const { state } = options;
  const { file } = group.located[0];
  const config = readConfig(file);
  const known = state.read(config.target.path);
  const change = compute(config, known);
  const { bytes, record } = change;
  if (bytes === undefined) {
    if (known.kind === 'record' && record !== 'as-is') remember(state, config, record);
    change.settle?.();
    return { report: change.report };
  }
  const next = sha256(bytes);
  try {
    change.prepare?.();
    if (change.during !== undefined) {
      if (change.during.pristine === config.hash) state.keepPristine(config.target.path, config.bytes);
      state.write({ ...change.during, ours: [config.hash, next] });
    }
    if (!replaceUnchanged(config, { file, bytes, locks, checkpoint: options.checkpoint })) {
      // What the next round finds, or whoever looks after the last one, must not be told of a change that never was.
      restore(state, config, known);
      return undefined;
    }
  } catch (error) {
    restore(state, config, known);
    throw error;
  }
  if (fileHash(config.target.path) !== next) return undefined;
  if (record !== 'as-is') {
    try {
      remember(state, config, record === 'none' ? record : { ...record, ours: [next] });
    } catch {
      // The file is changed, and what was remembered before says enough to undo it: this was only to tidy up.
    }
  }
  change.settle?.();
  return { report: change.report };
}

function remember(state: StateFolder, { target }: ConfigText, record: FileRecord | 'none'): void {
  if (record === 'none') {
    state.remove(target.path);
    return;
  }
  state.write(record);
  state.removePristine(target.path, record.pristine);
}

/** Takes back what was written about a change that could not be made. What stays is recognised as not made, so that failing is no harm. */
function restore(state: StateFolder, { target }: ConfigText, known: FoundRecord): void {
  try {
    if (known.kind === 'record') state.write(known.record);
    else if (known.kind === 'none') state.remove(target.path);
  } catch {
    // A full disk, as a rule, and that is what is being reported.
  }
}

class ChangedMeanwhile extends Error {}

interface Replacement {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly locks: readonly Lock[];
  readonly checkpoint: Checkpoint | undefined;
}

/** Writes the file if it is still the one that was read; false where it is not. */
function replaceUnchanged(config: ConfigText, { file, bytes, locks, checkpoint = NO_CHECKPOINT }: Replacement): boolean {
  const { path, stats } = config.target;
  const mode = Number(stats.mode & 0o7777n);
  try {
    // Its owner took away the right to write: that is a wish, although a rename needs only the folder's and root may do anything.
    if ((mode & 0o222) === 0) throw Object.assign(new Error('read-only'), { code: 'EACCES' });
    accessSync(path, constants.W_OK);
    writeAtomically(path, bytes, {
      mode,
      owner: { uid: Number(stats.uid), gid: Number(stats.gid) },
      beforeReplacing() {
        for (const lock of locks) lock.refresh();
        if (resolveTarget(file).path !== path || fileHash(path) !== config.hash) throw new ChangedMeanwhile();
      },
      checkpoint: (step) => checkpoint(`config:${step}`),
    });
    return true;
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return false;
    throw toDiskError(error, { file, failure: 'cannot be written', code: 'client_config_unwritable' });
  }
}

function takeOwnLock(state: StateFolder, checkpoint: Checkpoint | undefined): Promise<Lock> {
  return takeLock({
    path: join(state.path, 'lock'),
    kind: 'owned-directory',
    staleAfterMs: OWN_LOCK_STALE_MS,
    waitMs: OWN_LOCK_WAIT_MS,
    purpose: state.path,
    diesWithOwner: true,
    checkpoint,
  });
}

/** A client's lock is beside the name by which it knows the file, also where that is a link. */
async function takeClientLocks({ located }: ConfigGroup, options: ChangeOptions): Promise<readonly Lock[]> {
  const locks = new Map<string, Lock>();
  try {
    for (const { file, location } of located) {
      const { lock } = location;
      if (lock.kind === 'none' || locks.has(file)) continue;
      const { clientLockWaitMs: waitMs = CLIENT_LOCK_WAIT_MS, checkpoint } = options;
      locks.set(file, await takeLock({ ...lock, kind: lock.kind, path: `${file}.lock`, waitMs, purpose: file, checkpoint }));
    }
  } catch (error) {
    for (const lock of locks.values()) lock.release();
    throw error;
  }
  return [...locks.values()];
}

/** A file is read in pieces of so many bytes: clients' files may be large, and there are enough copies of them in memory. */
const PIECE = 1024 * 1024;

/** SHA-256 of a file's bytes, in hexadecimal digits. */
export function fileHash(file: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE);
  const handle = openSync(file, 'r');
  try {
    for (;;) {
      const count = readSync(handle, piece);
      if (count === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, count));
    }
  } finally {
    closeSync(handle);
  }
}
