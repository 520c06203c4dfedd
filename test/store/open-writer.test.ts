import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWriter } from '../../src/store/open-writer.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { chainFaults, query, storedEvent, storedIds } from '../support/stored.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-store-'));
  file = join(folder, 'clawai.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('openWriter', () => {
  it.each([
    ['normal', 1],
    ['full', 2],
  ] as const)('waits for the disk as asked: %s', (sync, expected) => {
    const database = openWriter({ file, sync });
    const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(pragma('synchronous')).toBe(expected);
    expect(pragma('busy_timeout')).toBe(10);
    expect(pragma('wal_autocheckpoint')).toBe(0);
    expect(pragma('foreign_keys')).toBe(0);
    expect(pragma('trusted_schema')).toBe(0);
    expect(pragma('journal_size_limit')).toBe(2 * 1024 * 1024);
    database.close();
  });

  it('uses a rollback journal where there can be no write-ahead log, with the same guarantees', () => {
    // This way of locking has no shared memory, as on a network share.
    const make = (): SqliteStore => new SqliteStore({ file, writerVersion: '1', sync: 'normal', vfs: 'unix-dotfile' });
    const [a, b] = [make(), make()];
    expect(a.begin()).toBe(true);
    expect(b.begin()).toBe(false);
    a.append(storedEvent('a'));
    a.write('s', 'k', 'v', 10);
    a.commit();
    expect(b.begin()).toBe(true);
    expect(b.read('s', 'k', 0)).toBe('v');
    b.append(storedEvent('b'));
    b.rollback();
    expect(a.begin()).toBe(true);
    a.append(storedEvent('c'));
    a.commit();
    a.close();
    b.close();
    expect(query(file, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'delete' }]);
    expect(storedIds(file)).toEqual(['a', 'c']);
    expect(chainFaults(file)).toEqual([]);
  });
});
