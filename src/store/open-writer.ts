import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { loadSqlite } from './load-sqlite.ts';
import { identify, migrate } from './migrate.ts';
import { preparePrivateFile } from './private-file.ts';
import { MIGRATIONS } from './schema.ts';
import { lacksSharedMemory, needsRollback } from './write-fault.ts';

/** Milliseconds that waiting for another process may block everything else in this one; shorter in each of opening's steps. */
const BUSY_TIMEOUT_MS = { open: 4, use: 10 } as const;

/** Bytes to which SQLite shortens its log when it starts again at the log's beginning. */
const LOG_LIMIT = 2 * 1024 * 1024;

export interface WriterOptions {
  readonly file: string;
  /** `normal`: what was committed survives a crash of any process; `full`: also one of the machine, at the price of waiting for the disk. */
  readonly sync: 'normal' | 'full';
  /** SQLite's name for another way to reach and lock files, such as `unix-dotfile`; its own choice without it. */
  readonly vfs?: string | undefined;
}

/**
 * Opens a store to write it: makes it where there is none, and brings an older one up to date.
 *
 * It uses a write-ahead log, so that readers and one writer don't wait for each other. Where the file system can't do that, it uses a
 * rollback journal: the same guarantees, but readers and writers wait for each other and each commit waits for the disk.
 *
 * @throws ClawaiError for a file that is not ours to write; SQLite's and the operating system's errors as they are
 */
export function openWriter({ file, sync, vfs }: WriterOptions): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const location = vfs === undefined ? file : withVfs(file, vfs);
  const options = { timeout: BUSY_TIMEOUT_MS.open, enableForeignKeyConstraints: false, allowExtension: false, defensive: true };
  // A connection that may write would also tidy a foreign file's log away when it is closed. The one that only reads stays until the
  // other one has read the log too, so that this is done once.
  const reading = preparePrivateFile(file) ? new DatabaseSync(location, { ...options, readOnly: true }) : undefined;
  try {
    if (reading !== undefined) identifyUnlessHalfDone(reading, file);
    const database = new DatabaseSync(location, options);
    try {
      prepare(database, file, sync);
      return database;
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  } finally {
    reading?.close();
  }
}

/** Settings first, then the tables. */
function prepare(database: DatabaseSync, file: string, sync: WriterOptions['sync']): void {
  database.exec(`PRAGMA trusted_schema = OFF; PRAGMA synchronous = ${sync}; PRAGMA journal_size_limit = ${LOG_LIMIT}`);
  if (identify(database, file) === 0) {
    // Nothing can be lost yet, so nobody need wait for the disk; after a crash of the machine there is a new file once more.
    if (sync === 'normal') database.exec('PRAGMA synchronous = OFF');
    database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  }
  setJournal(database);
  // What is committed is moved from the log to its place by a process of its own, since that waits for the disk.
  database.exec('PRAGMA wal_autocheckpoint = 0');
  if (identify(database, file) < MIGRATIONS.length) migrate(database);
  database.exec(`PRAGMA synchronous = ${sync}; PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS.use}`);
}

function identifyUnlessHalfDone(reading: DatabaseSync, file: string): void {
  try {
    identify(reading, file);
  } catch (thrown) {
    if (!needsRollback(thrown)) throw thrown;
  }
}

function withVfs(file: string, vfs: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set('vfs', vfs);
  return url;
}

function setJournal(database: DatabaseSync): void {
  try {
    if (database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'] === 'wal') return;
  } catch (thrown) {
    if (!lacksSharedMemory(thrown)) throw thrown;
  }
  database.exec('PRAGMA journal_mode = TRUNCATE');
}
