import type { DatabaseSync } from 'node:sqlite';
import { ClawaiError } from '../errors.ts';
import { APPLICATION_ID, MIGRATIONS, MIN_WRITER } from './schema.ts';

/**
 * Tells whether an SQLite file is a store of ours, without changing it.
 *
 * @returns the version of its tables; 0 for a file without tables
 * @throws ClawaiError `store_foreign` or `store_newer`
 */
export function identify(database: DatabaseSync, file: string): number {
  const { application, version, tables, oldestWriter } = inOneView(database, () => readIdentity(database));
  if (tables === 0 && version === 0 && (application === 0 || application === APPLICATION_ID)) return 0;
  if (application !== APPLICATION_ID) {
    throw new ClawaiError(`${file} is not a clawai store, but another SQLite file`, {
      code: 'store_foreign',
      place: { file },
      hint: 'move it away, and clawai starts a new store; or set state_dir in config.toml to another folder',
    });
  }
  if (version > MIGRATIONS.length && oldestWriter > MIGRATIONS.length) {
    throw new ClawaiError(`${file} was written by a newer clawai, and this one cannot write to it`, {
      code: 'store_newer',
      place: { file },
      hint: `its tables have version ${version} and this clawai knows ${MIGRATIONS.length}: update clawai`,
    });
  }
  return version;
}

/**
 * Runs the migrations that a file lacks, all or none.
 *
 * @param steps all migrations, oldest first
 */
export function migrate(database: DatabaseSync, steps: readonly string[] = MIGRATIONS): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated the file since it was read.
    const version = readNumber(database, 'PRAGMA user_version');
    if (version < steps.length) {
      for (const step of steps.slice(version)) database.exec(step);
      database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run('min_writer', String(MIN_WRITER));
      database.exec(`PRAGMA user_version = ${steps.length}; PRAGMA application_id = ${APPLICATION_ID}`);
    }
    database.exec('COMMIT');
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

/** Reads the file in one transaction, since another process may be creating its tables. */
export function inOneView<T>(database: DatabaseSync, read: () => T): T {
  database.exec('BEGIN');
  try {
    return read();
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

interface Identity {
  readonly application: number;
  readonly version: number;
  readonly tables: number;
  readonly oldestWriter: number;
}

function readIdentity(database: DatabaseSync): Identity {
  const application = readNumber(database, 'PRAGMA application_id');
  const version = readNumber(database, 'PRAGMA user_version');
  const tables = readNumber(database, 'SELECT count(*) FROM sqlite_schema');
  // Only our own stores are sure to have the `meta` table.
  const isNewer = application === APPLICATION_ID && version > MIGRATIONS.length;
  return { application, version, tables, oldestWriter: isNewer ? readOldestWriter(database) : 0 };
}

function readOldestWriter(database: DatabaseSync): number {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'min_writer'").get();
  const oldest = Number(row?.['value'] ?? Number.NaN);
  return Number.isInteger(oldest) ? oldest : Number.POSITIVE_INFINITY;
}

/** Reads the single number that a statement returns. */
export function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}
