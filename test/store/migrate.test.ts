import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { identify, migrate, readNumber } from '../../src/store/migrate.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../src/store/schema.ts';

describe('migrate', () => {
  it('makes a store out of nothing, and changes nothing the second time', () => {
    const database = new DatabaseSync(':memory:');
    expect(identify(database, 'x')).toBe(0);
    migrate(database);
    expect(identify(database, 'x')).toBe(MIGRATIONS.length);
    expect(readNumber(database, 'PRAGMA application_id')).toBe(APPLICATION_ID);
    const schema = database.prepare('SELECT * FROM sqlite_schema').all();
    migrate(database);
    expect(database.prepare('SELECT * FROM sqlite_schema').all()).toEqual(schema);
  });

  it('takes the steps that an older store lacks, and keeps what is in it', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database);
    database.exec("INSERT INTO state VALUES ('s', 'k', 'v', 1)");
    migrate(database, [
      ...MIGRATIONS,
      'ALTER TABLE state ADD COLUMN more TEXT',
      'CREATE TABLE further (a) STRICT'.replace('a', 'a ANY'),
    ]);
    expect(readNumber(database, 'PRAGMA user_version')).toBe(MIGRATIONS.length + 2);
    expect(database.prepare('SELECT * FROM state').all()).toEqual([{ scope: 's', key: 'k', value: 'v', expires: 1, more: null }]);
  });

  it('takes all steps or none', () => {
    const database = new DatabaseSync(':memory:');
    expect(() => migrate(database, [...MIGRATIONS, 'CREATE TABLE further (a)', 'nonsense'])).toThrow(/syntax/);
    expect(database.isTransaction).toBe(false);
    expect(identify(database, 'x')).toBe(0);
  });
});

describe('identify', () => {
  it('sees one moment of a file whose tables another process makes meanwhile', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clawai-store-'));
    const file = join(folder, 'clawai.db');
    const other = new DatabaseSync(file);
    other.exec('PRAGMA journal_mode = WAL');
    const database = new DatabaseSync(file);
    try {
      const prepare = database.prepare.bind(database);
      database.prepare = (sql: string) => {
        if (sql.includes('sqlite_schema')) migrate(other);
        return prepare(sql);
      };
      expect(identify(database, file)).toBe(0);
      expect(identify(database, file)).toBe(MIGRATIONS.length);
    } finally {
      database.close();
      other.close();
      rmSync(folder, { recursive: true });
    }
  });
});
