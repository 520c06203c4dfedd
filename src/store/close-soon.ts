import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from './load-sqlite.ts';
import type { FileWatch, Gone } from './file-watch.ts';
import { isPlainFile } from './private-file.ts';

/** Closes a store's database, whatever happened to its files. Never throws. */
export function closeWatched(database: DatabaseSync, file: string, watch: FileWatch): void {
  const { gone } = watch.look(true);
  if (gone === undefined) closeSoon(database, file);
  else closeAndRescue(database, gone, watch);
}

/**
 * Closes a database without waiting for the disk. The last connection to close would checkpoint the whole log and remove it, and the next
 * one to open would wait for the disk again to create a new log. A second, read-only connection that closes last can't checkpoint, so the
 * log stays for the next user and for the tidying process. Never throws.
 */
function closeSoon(database: DatabaseSync, file: string): void {
  const reader = openReader(file);
  for (const open of [database, reader]) {
    try {
      open?.close();
    } catch {
      // The database is not used any more, so a failed close needs no handling.
    }
  }
}

/**
 * Closes a database one of whose files was deleted, moved, replaced or emptied. Only processes that have a deleted log open can still read
 * it, and a moved store must be whole without its log. So this checkpoints the log, although that waits for the disk. Never throws.
 */
function closeAndRescue(database: DatabaseSync, gone: Gone, watch: FileWatch): void {
  try {
    // Without the shared memory, no lock keeps others from checkpointing another log at the same time. Closing still checkpoints if nobody
    // else has the file open.
    if (gone !== 'memory') database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // Closing tries the checkpoint once more.
  }
  try {
    // If the checkpoint wrote nothing back, the log belongs to the file that is gone.
    if (gone === 'file' || (gone === 'content' && watch.removeEmpty())) watch.removeRest();
  } catch {
    // The next process that opens the store reports what is wrong.
  }
  try {
    database.close();
  } catch {
    // The database is not used any more, so a failed close needs no handling.
  }
}

function openReader(file: string): DatabaseSync | undefined {
  const { DatabaseSync } = loadSqlite();
  try {
    if (!isPlainFile(file)) return undefined;
    const reader = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    // The reader holds the file open only from its first read on.
    reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    return reader;
  } catch {
    // Without a reader, closing takes as long as it takes.
    return undefined;
  }
}
