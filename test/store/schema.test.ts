import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { identify } from '../../src/store/migrate.ts';
import { openRegistryReader, openStoreReader } from '../../src/store/read-open.ts';
import { APPLICATION_ID, MIGRATIONS, MIN_WRITER } from '../../src/store/schema.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { register, sighted } from '../support/registered.ts';
import { chainFaults, query, storedEvent, storedIds } from '../support/stored.ts';

/** So many steps were taken before there was a registry. */
const BEFORE = MIGRATIONS.findIndex((step) => step.includes('CREATE TABLE registry '));

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-migration-'));
  file = join(folder, 'clawai.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A file as an older clawai left it, with something in it. */
function makeOlder(steps: number): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = ${APPLICATION_ID}`);
  for (const step of MIGRATIONS.slice(0, steps)) database.exec(step);
  database.exec(`PRAGMA user_version = ${steps}; INSERT INTO meta (key, value) VALUES ('min_writer', '1');
    INSERT INTO state VALUES ('scope', 'key', 'value', 9000000000000)`);
  if (steps >= 2) {
    database.exec(`INSERT INTO approvals (id, session, server, method, summary, args_length, fingerprint, can_remember, asked_at, expires_at,
      asker_pid, asker_started, state) VALUES ('K7Q2MX', 's', 'files', 'tools/call', '{}', 2, 'f', 1, 1, 2, 3, '', 'granted')`);
  }
  database.close();
}

it.each([1, 2, BEFORE])('a store after step %i gets a registry, and keeps what is in it', (steps) => {
  makeOlder(steps);
  expect(openRegistryReader(file)).toBeUndefined();
  register(file, (registry) => registry.write('files', [sighted('read', 'a', { isPinned: true })], 1));
  expect(query(file, 'PRAGMA user_version')).toEqual([{ user_version: MIGRATIONS.length }]);
  expect(query(file, 'SELECT value FROM state')).toEqual([{ value: 'value' }]);
  if (steps >= 2) expect(query(file, 'SELECT id, extra FROM approvals')).toEqual([{ id: 'K7Q2MX', extra: null }]);
  expect(register(file, (registry) => registry.pin('files', 'tool', 'read'))?.pinned).toBe(
    sighted('read', 'a').seen?.fingerprint,
  );
});

it('an older clawai still writes to a store with a registry, and what it does leaves that alone', () => {
  register(file, (registry) => registry.write('files', [sighted('read', 'a', { isPinned: true })], 1));
  expect(MIN_WRITER).toBeLessThanOrEqual(BEFORE);
  expect(query(file, "SELECT value FROM meta WHERE key = 'min_writer'")).toEqual([{ value: String(MIN_WRITER) }]);
  const database = new DatabaseSync(file);
  expect(identify(database, file)).toBe(MIGRATIONS.length);
  database.close();
  // What it writes are events and what processes agree on.
  const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal', retention: { retain: 1, maxSize: 1 } });
  expect(store.begin()).toBe(true);
  store.append(storedEvent('one'));
  store.commit();
  store.close();
  expect([storedIds(file), chainFaults(file)]).toEqual([['one'], []]);
  expect(register(file, (registry) => registry.pins('files', 'tool').size)).toBe(1);
  openStoreReader(file)?.close();
});
