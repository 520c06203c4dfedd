import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { ClawaiError } from '../../errors.ts';
import { loadSqlite } from '../load-sqlite.ts';
import { inOneView } from '../migrate.ts';
import { sqliteCode, toReadFault, StoreReader } from './read.ts';
import { RegistryReader } from './registry-reader.ts';
import { ActivityReader } from './activity-reader.ts';
import { APPLICATION_ID, MIGRATIONS } from '../schema.ts';

/** Milliseconds to wait for another process; this runs in commands only, never in a proxy. */
const BUSY_TIMEOUT_MS = 2000;

/**
 * Opens a store to read it. Nothing is created and no event is changed; SQLite keeps two files of its own beside it.
 *
 * @returns undefined if there is no store yet: no file, or one without tables
 * @throws ClawaiError `store_unreadable`, `store_busy`, `store_corrupt`, `store_newer` or `store_foreign`
 */
export function openStoreReader(file: string): StoreReader | undefined {
  const database = openToRead(file);
  return database === undefined ? undefined : new StoreReader(file, database);
}

/** Like `openStoreReader`, for the registry; undefined also if an older clawai created the tables. */
export function openRegistryReader(file: string): RegistryReader | undefined {
  const database = openToRead(file);
  if (database === undefined) return undefined;
  try {
    if (hasRegistry(database)) return new RegistryReader(file, database);
    database.close();
    return undefined;
  } catch (thrown) {
    database.close();
    throw toReadFault(file, thrown);
  }
}

/** Like `openStoreReader`, for counts of calls. @param types the types of events that are calls */
export function openActivityReader(file: string, types: readonly string[]): ActivityReader | undefined {
  const database = openToRead(file);
  return database === undefined ? undefined : new ActivityReader(file, database, types);
}

function openToRead(file: string): DatabaseSync | undefined {
  if (!isThere(file)) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = open(file);
    if (hasTables(database, file)) return database;
    database.close();
    return undefined;
  } catch (thrown) {
    database?.close();
    throw toReadFault(file, thrown);
  }
}

function hasRegistry(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'registry'").get() !== undefined;
}

function isThere(file: string): boolean {
  const unreadable = (message: string, hint: string, cause?: unknown): ClawaiError =>
    new ClawaiError(`${file} ${message}`, { code: 'store_unreadable', hint, cause });
  try {
    // Opening a pipe would wait for a writer.
    if (!statSync(file).isFile()) throw unreadable('is not a file', 'move it away');
    return true;
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (thrown instanceof ClawaiError) throw thrown;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw unreadable(`cannot be read: ${String(code)}`, 'make sure that you can read its folder', thrown);
  }
}

const CANNOT_OPEN = 14;
const READ_ONLY = 8;

function open(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const options = { readOnly: true, timeout: BUSY_TIMEOUT_MS, allowExtension: false };
  const database = new DatabaseSync(file, options);
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (thrown) {
    database.close();
    const code = sqliteCode(thrown);
    // SQLite can't create its shared files in a read-only folder. If there is no log, nobody is writing (a copy, a read-only disk), and it
    // doesn't need them.
    if ((code !== CANNOT_OPEN && code !== READ_ONLY) || existsSync(`${file}-wal`)) throw thrown;
    const url = pathToFileURL(file);
    url.searchParams.set('immutable', '1');
    return new DatabaseSync(url, options);
  }
}

function hasTables(database: DatabaseSync, file: string): boolean {
  const pragma = (name: string): number => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  const { version, application, tables } = inOneView(database, () => ({
    version: pragma('user_version'),
    application: pragma('application_id'),
    tables: Number(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables']),
  }));
  // SQLite creates the file before the first process creates the tables.
  if (tables === 0 && version === 0 && (application === 0 || application === APPLICATION_ID)) return false;
  if (application !== APPLICATION_ID) {
    throw new ClawaiError(`${file} is not a clawai store, but another SQLite file`, {
      code: 'store_foreign',
      hint: 'move it away, or look for the store elsewhere',
    });
  }
  if (version > MIGRATIONS.length) {
    throw new ClawaiError(`${file} was written by a newer clawai`, {
      code: 'store_newer',
      hint: `its tables have version ${version} and this clawai knows ${MIGRATIONS.length}: update clawai`,
    });
  }
  return version > 0;
}
