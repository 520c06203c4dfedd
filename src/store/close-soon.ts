import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from './load-sqlite.ts';

/** Bytes of log that SQLite may bring home while everything else waits: some 10 ms, and one wait for the disk. */
const SHORT_LOG = 4 * 1024 * 1024;

/**
 * Closes a database without long work. Whoever closes it last brings the whole log home, however long it is. A long one is left to
 * whoever opens the file next and starts a tidier: another connection, which may only read, is closed last, and can't do that.
 * Never throws.
 */
export function closeSoon(database: DatabaseSync, file: string): void {
  const reader = isLogLong(file) ? openReader(file) : undefined;
  for (const open of [database, reader]) {
    try {
      open?.close();
    } catch {
      // It is closed as far as it can be, and nothing more is done with it.
    }
  }
}

function isLogLong(file: string): boolean {
  try {
    return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > SHORT_LOG;
  } catch {
    // A log that can't be looked at can't be brought home either.
    return false;
  }
}

function openReader(file: string): DatabaseSync | undefined {
  const { DatabaseSync } = loadSqlite();
  try {
    const reader = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    // Only from its first look on does it hold the file open.
    reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    return reader;
  } catch {
    // Then closing takes as long as it takes.
    return undefined;
  }
}
