import type { DatabaseSync } from 'node:sqlite';
import { eraseBodies, eraseSessions, eraseOldest, removeExpired, type SmallSteps } from './erase.ts';
import { loadSqlite } from '../load-sqlite.ts';
import { identify, readNumber } from '../migrate.ts';
import { isPlainFile } from '../private-file.ts';
import { MIGRATIONS } from '../schema.ts';
import { isBusy } from '../write-fault.ts';

/** The retention bounds: events of the last `retain` milliseconds are kept while the store stays below `maxSize` bytes. */
export interface Retention {
  readonly retain: number;
  readonly maxSize: number;
  /** Milliseconds for which bodies of LLM requests and answers are kept; undefined: as long as their events. */
  readonly bodies?: number | undefined;
}

export const KEEP_ALL: Retention = { retain: Number.POSITIVE_INFINITY, maxSize: Number.POSITIVE_INFINITY };

export interface TidyReport {
  /** Number of erased events. */
  readonly erased: number;
  /** True if everything in the log was checkpointed, so that the log could be emptied. */
  readonly isLogEmpty: boolean;
}

export interface TidyOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called when the store is open and its log has been read. */
  readonly onRead?: () => void;
}

/** Milliseconds: after `run`, erasing is left to the next time; `wait` for a writer; `pause` between two steps. */
const LIMIT_MS = { run: 20_000, wait: 200, pause: 3 } as const;
/** Free pages kept for the next writes. */
const SPARE_PAGES = 256;
const VACUUM_PAGES = 64;

/**
 * Erases what is past its retention, returns the space to the disk, and checkpoints the log. It waits for the disk and for others, so it
 * needs a process of its own. Writers wait some milliseconds at most.
 *
 * A file that is missing, or not ours to write, is left alone. Being killed at any moment does no harm.
 */
export function tidy(file: string, retention: Retention, { now, onRead }: TidyOptions): TidyReport {
  const nothing = { erased: 0, isLogEmpty: false };
  if (!isPlainFile(file)) return nothing;
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file, { timeout: LIMIT_MS.wait, enableForeignKeyConstraints: false, defensive: true });
  const ending = performance.now() + LIMIT_MS.run;
  try {
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL');
    const version = identify(database, file);
    onRead?.();
    if (version === 0) return nothing;
    let isLogEmpty = checkpoint(database, now);
    // Tables of another version are erased by that version.
    if (version !== MIGRATIONS.length) return { erased: 0, isLogEmpty };
    const steps: SmallSteps = { pause, isOver: () => performance.now() > ending };
    const erased = erase(database, { ...retention, now }, steps);
    const freed = vacuum(database, steps);
    if (erased > 0 || freed) isLogEmpty = checkpoint(database, now);
    return { erased, isLogEmpty };
  } catch (thrown) {
    // Others need the store more; there is a next time.
    if (isBusy(thrown)) return nothing;
    throw thrown;
  } finally {
    database.close();
  }
}

function erase(database: DatabaseSync, { retain, maxSize, bodies, now }: Retention & { now: number }, steps: SmallSteps): number {
  removeExpired(database, now, steps);
  eraseSessions(database, { now, retain }, steps);
  if (bodies !== undefined) eraseBodies(database, { before: Math.floor(now - bodies), isEnough: () => false }, steps);
  const keepsAll = (): boolean => retain === Number.POSITIVE_INFINITY;
  const tooOld = eraseOldest(database, { before: Math.floor(now - retain), isEnough: keepsAll, now }, steps);
  const isSmall = (): boolean => usedBytes(database) <= maxSize;
  // Bodies go first: they are large, and decisions matter more.
  eraseBodies(database, { before: Number.MAX_SAFE_INTEGER, isEnough: isSmall }, steps);
  return tooOld + eraseOldest(database, { before: undefined, isEnough: isSmall, now }, steps);
}

function usedBytes(database: DatabaseSync): number {
  const pages = readNumber(database, 'PRAGMA page_count') - readNumber(database, 'PRAGMA freelist_count');
  return pages * readNumber(database, 'PRAGMA page_size');
}

/** Returns free pages to the disk, a few at a time. True if there were any. */
function vacuum(database: DatabaseSync, steps: SmallSteps): boolean {
  let freed = false;
  for (let last = Number.POSITIVE_INFINITY; !steps.isOver();) {
    const free = readNumber(database, 'PRAGMA freelist_count');
    // The number stays the same if the file can't be shortened.
    if (free <= SPARE_PAGES || free >= last) return freed;
    database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
    freed = true;
    last = free;
    steps.pause();
  }
  return freed;
}

/** Checkpoints the log without making anybody wait, and empties it if nobody reads it. */
function checkpoint(database: DatabaseSync, now: number): boolean {
  const brought = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  if (brought === undefined || Number(brought['busy']) !== 0 || brought['log'] !== brought['checkpointed']) return false;
  // Only what came meanwhile is left, so blocked writers don't wait long. It takes a writer's turn, or none.
  if (Number(database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy']) !== 0) return false;
  // The first write to an empty log waits for the disk, so this process does it.
  database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('tidied', ?)").run(String(now));
  return true;
}

/** Lets waiting writers in: they retry every few milliseconds, and SQLite has no queue. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIMIT_MS.pause);
}
