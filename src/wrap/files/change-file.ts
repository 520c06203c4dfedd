import { createHash } from 'node:crypto';
import { accessSync, constants, closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { type Checkpoint, NO_CHECKPOINT, toDiskError } from '../../host/disk.ts';
import { type Lock, takeLock } from '../../host/lock.ts';
import { type ConfigGroup, type ConfigText, readConfig, refuseHardLinks, resolveTarget } from './read-config.ts';
import { type FoundRecord, sha256, type StateFolder } from './state-folder.ts';
import type { FileRecord } from './state-record.ts';

/** Most times that a change is planned anew because the client wrote the file in between. */
const MAX_ROUNDS = 5;

/** Milliseconds. Claude Code itself gives up after 17 s; an abandoned lock is stale after 10. */
const CLIENT_LOCK_WAIT_MS = 15_000;

/** Milliseconds. Our other runs each hold it for a fraction of a second, or while they wait for a client. */
const OWN_LOCK_WAIT_MS = 60_000;
const OWN_LOCK_STALE_MS = 10_000;

/** The planned change of a file. */
export interface FileChange<T> {
  /** Its new bytes; undefined leaves it unchanged. */
  readonly bytes?: Uint8Array | undefined;
  /** The record after the change: a new record, none any more, or the present one (if the file is unchanged). */
  readonly record: FileRecord | 'none' | 'as-is';
  /** The record during the change: it covers all that is ours in the old or the new bytes. */
  readonly during?: FileRecord | undefined;
  /** Runs before the file gets its new bytes; if it throws, the file is unchanged. */
  readonly prepare?: (() => void) | undefined;
  /** Runs once the file is in its final state. */
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
 * Changes one config under all locks: it reads the config, has the change computed, writes the interim record, then the file, then the
 * final record. Whenever this process ends, the file is the old or the new one, and the record says that both are ours. If somebody writes
 * the file in between, it starts again.
 *
 * @throws ClawaiError if the file can't be read, locked or written, or keeps changing; it is then as before, or as another program left it
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

/** Runs one round; undefined if somebody else wrote the file meanwhile. */
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
  refuseHardLinks(file, config.target.path);
  const next = sha256(bytes);
  try {
    change.prepare?.();
    if (change.during !== undefined) {
      if (change.during.pristine === config.hash) state.keepPristine(config.target.path, config.bytes);
      state.write({ ...change.during, ours: [config.hash, next] });
    }
    if (!replaceUnchanged(config, { file, bytes, locks, checkpoint: options.checkpoint })) {
      // The record must not mention a change that never happened.
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
      // The file is changed, and the interim record suffices to undo it: this was only tidying.
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

/** Restores the record after a failed change. A leftover record is recognised as not applied, so a failure does no harm. */
function restore(state: StateFolder, { target }: ConfigText, known: FoundRecord): void {
  try {
    if (known.kind === 'record') state.write(known.record);
    else if (known.kind === 'none') state.remove(target.path);
  } catch {
    // The disk is usually full, and that is being reported.
  }
}

class ChangedMeanwhile extends Error {}

interface Replacement {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly locks: readonly Lock[];
  readonly checkpoint: Checkpoint | undefined;
}

/** Writes the file if it still has the bytes that were read; false if not. */
function replaceUnchanged(config: ConfigText, { file, bytes, locks, checkpoint = NO_CHECKPOINT }: Replacement): boolean {
  const { path, stats } = config.target;
  const mode = Number(stats.mode & 0o7777n);
  try {
    // Its owner removed the write permission, which we respect, although a rename needs only the folder's and root may do anything.
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

/** Takes the clients' locks. A lock lies beside the path by which the client knows the file, even if that is a link. */
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

/** Bytes read at a time: clients' files may be large, and memory already holds several copies. */
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
