import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { loadSqlite } from './load-sqlite.ts';
import { identify, migrate } from './migrate.ts';
import { preparePrivateFile } from './private-file.ts';
import { MIGRATIONS } from './schema.ts';
import { lacksSharedMemory, needsRollback } from './write-fault.ts';

/** Milliseconds to wait for another process, which block everything else in this one; shorter for each step of opening. */
const BUSY_TIMEOUT_MS = { open: 4, use: 10 } as const;

/** Bytes to which SQLite truncates its log when it starts writing from the beginning again. */
const LOG_LIMIT = 2 * 1024 * 1024;

export interface WriterOptions {
  readonly file: string;
  /** `normal`: commits survive a crash of any process. `full`: they also survive a crash of the machine, but each waits for the disk. */
  readonly sync: 'normal' | 'full';
  /** SQLite's name for another way to reach and lock files, such as `unix-dotfile`; by default SQLite chooses. */
  readonly vfs?: string | undefined;
}

/**
 * Opens a store to write: creates it if there is none, and migrates an older one.
 *
 * It uses a write-ahead log, so that readers and one writer don't wait for each other. If the file system doesn't support that, it uses a
 * rollback journal: the same guarantees, but readers and writers wait for each other and each commit waits for the disk.
 *
 * @throws ClawaiError for a file that is not ours to write; SQLite's and the operating system's errors as they are
 */
export function openWriter({ file, sync, vfs }: WriterOptions): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const location = vfs === undefined ? file : withVfs(file, vfs);
  const options = { timeout: BUSY_TIMEOUT_MS.open, enableForeignKeyConstraints: false, allowExtension: false, defensive: true };
  // A writing connection would checkpoint a foreign file's log when it closes. So a read-only one identifies the file first, and stays open
  // until the other has read the log too, so that the log is read once.
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

function prepare(database: DatabaseSync, file: string, sync: WriterOptions['sync']): void {
  database.exec(`PRAGMA trusted_schema = OFF; PRAGMA synchronous = ${sync}; PRAGMA journal_size_limit = ${LOG_LIMIT}`);
  if (identify(database, file) === 0) {
    // Nothing can be lost yet, so nobody need wait for the disk; after a crash of the machine the file is created again.
    if (sync === 'normal') database.exec('PRAGMA synchronous = OFF');
    database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  }
  setJournal(database);
  // A process of its own checkpoints the log, since that waits for the disk.
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
