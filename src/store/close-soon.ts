import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from './load-sqlite.ts';
import type { FileWatch, Gone } from './file-watch.ts';
import { isPlainFile } from './private-file.ts';

/** Closes a store's database, whatever has become of its files. Never throws. */
export function closeWatched(database: DatabaseSync, file: string, watch: FileWatch): void {
  const { gone } = watch.look(true);
  if (gone === undefined) closeSoon(database, file);
  else closeAndRescue(database, gone, watch);
}

/**
 * Closes a database without waiting for the disk. Whoever closes it last would bring the whole log home and remove it, and who
 * opens it next would wait for the disk once more to begin another one. So the last is here another connection, which may only read
 * and can't do that; the log stays for the next one, and for the process that tidies. Never throws.
 */
function closeSoon(database: DatabaseSync, file: string): void {
  const reader = openReader(file);
  for (const open of [database, reader]) {
    try {
      open?.close();
    } catch {
      // It is closed as far as it can be, and nothing more is done with it.
    }
  }
}

/**
 * Closes a database of which a file was deleted, or which was moved, replaced or emptied. What is in a deleted log only those know who have it open, and a
 * store that is moved has to be whole without the log that stays behind: so it is brought home, although that waits for the disk. Never throws.
 */
function closeAndRescue(database: DatabaseSync, gone: Gone, watch: FileWatch): void {
  try {
    // Without the shared memory there are no locks that would keep others from bringing home another log at the same time; but
    // closing does it, where nobody else has the file open.
    if (gone !== 'memory') database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // Closing tries once more.
  }
  try {
    // A log that brought back nothing belongs to what is gone, for all who have it open.
    if (gone === 'file' || (gone === 'content' && watch.removeEmpty())) watch.removeRest();
  } catch {
    // Whoever opens the next one says what is wrong there.
  }
  try {
    database.close();
  } catch {
    // It is closed as far as it can be, and nothing more is done with it.
  }
}

function openReader(file: string): DatabaseSync | undefined {
  const { DatabaseSync } = loadSqlite();
  try {
    if (!isPlainFile(file)) return undefined;
    const reader = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    // Only from its first look on does it hold the file open.
    reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    return reader;
  } catch {
    // Then closing takes as long as it takes.
    return undefined;
  }
}
