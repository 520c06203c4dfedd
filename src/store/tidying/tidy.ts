import type { DatabaseSync } from 'node:sqlite';
import { eraseBodies, eraseSessions, eraseOldest, removeExpired, type SmallSteps } from './erase.ts';
import { loadSqlite } from '../load-sqlite.ts';
import { identify, readNumber } from '../migrate.ts';
import { isPlainFile } from '../private-file.ts';
import { MIGRATIONS } from '../schema.ts';
import { isBusy } from '../write-fault.ts';

/** What is kept: events of the last `retain` milliseconds, as far as the store stays below `maxSize` bytes. */
export interface Retention {
  readonly retain: number;
  readonly maxSize: number;
  /** What was asked of LLM providers, and answered, is kept for so many milliseconds at most; undefined: as long as its event. */
  readonly bodies?: number | undefined;
}

export const KEEP_ALL: Retention = { retain: Number.POSITIVE_INFINITY, maxSize: Number.POSITIVE_INFINITY };

export interface TidyReport {
  /** How many events were erased. */
  readonly erased: number;
  /** True where everything in the log was brought to its place, so that the log could be emptied. */
  readonly isLogEmpty: boolean;
}

export interface TidyOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called when the store is open and its log has been read. */
  readonly onRead?: () => void;
}

/** Milliseconds after which erasing is left to the next time; how long to wait for a writer, between two steps and when in its way. */
const LIMIT_MS = { run: 20_000, wait: 200, pause: 3 } as const;
/** Free pages that are kept for what is written next. */
const SPARE_PAGES = 256;
const VACUUM_PAGES = 64;

/**
 * Erases what is not to be kept any more, gives the space back, and brings the log home. It waits for the disk and for others, so it
 * is not for a process that does anything else. Whoever writes meanwhile waits some milliseconds at most.
 *
 * A file that is missing, or not ours to write, is left alone. Being ended at any moment does no harm.
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
    // What is in other tables than those we know is for others to erase.
    if (version !== MIGRATIONS.length) return { erased: 0, isLogEmpty };
    const steps: SmallSteps = { pause, isOver: () => performance.now() > ending };
    const erased = erase(database, { ...retention, now }, steps);
    const freed = vacuum(database, steps);
    if (erased > 0 || freed) isLogEmpty = checkpoint(database, now);
    return { erased, isLogEmpty };
  } catch (thrown) {
    // Others need it more; there is a next time.
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
  // They are large, and what was decided is of more account.
  eraseBodies(database, { before: Number.MAX_SAFE_INTEGER, isEnough: isSmall }, steps);
  return tooOld + eraseOldest(database, { before: undefined, isEnough: isSmall, now }, steps);
}

function usedBytes(database: DatabaseSync): number {
  const pages = readNumber(database, 'PRAGMA page_count') - readNumber(database, 'PRAGMA freelist_count');
  return pages * readNumber(database, 'PRAGMA page_size');
}

/** Gives free pages back to the disk, a few at a time. True where there were any. */
function vacuum(database: DatabaseSync, steps: SmallSteps): boolean {
  let freed = false;
  for (let last = Number.POSITIVE_INFINITY; !steps.isOver();) {
    const free = readNumber(database, 'PRAGMA freelist_count');
    // Where a file can't be shortened their number stays the same.
    if (free <= SPARE_PAGES || free >= last) return freed;
    database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
    freed = true;
    last = free;
    steps.pause();
  }
  return freed;
}

/** Brings the log home without anybody's waiting, and empties it where nobody reads it. */
function checkpoint(database: DatabaseSync, now: number): boolean {
  const brought = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  if (brought === undefined || Number(brought['busy']) !== 0 || brought['log'] !== brought['checkpointed']) return false;
  // Only what came meanwhile is left, so writers, who can't begin now, don't wait long. It takes a writer's turn, or none.
  if (Number(database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy']) !== 0) return false;
  // Whoever writes to an empty log first waits for the disk. That had better be this process.
  database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('tidied', ?)").run(String(now));
  return true;
}

/** Lets writers in that wait: SQLite serves whoever asks first, and they ask every few milliseconds. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIMIT_MS.pause);
}
