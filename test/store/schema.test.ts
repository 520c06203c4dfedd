import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { identify, migrate } from '../../src/store/migrate.ts';
import { openRegistryReader, openStoreReader } from '../../src/store/reading/read-open.ts';
import { APPLICATION_ID, MIGRATIONS, MIN_WRITER } from '../../src/store/schema.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { tidy } from '../../src/store/tidying/tidy.ts';
import { pastCall } from '../support/past-call.ts';
import { register, sighted } from '../support/registered.ts';
import { alter, chainFaults, query, storedEvent, storedIds } from '../support/stored.ts';

/** So many steps were taken before there was a registry; before sessions were looked at as a whole; before calls were seen twice. */
const BEFORE = MIGRATIONS.findIndex((step) => step.includes('CREATE TABLE registry '));
const BEFORE_SEEN_CALLS = MIGRATIONS.findIndex((step) => step.includes('CREATE TABLE sightings '));
const BEFORE_SESSIONS = MIGRATIONS.findIndex((step) => step.includes('CREATE TABLE sessions '));

const BEFORE_LOOKS = MIGRATIONS.findIndex((step) => step.includes('CREATE TABLE registry_looks '));

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

it('a store of a registry and no sessions gets them, and whose tool was first is known from before', () => {
  makeOlder(BEFORE_SESSIONS);
  const database = new DatabaseSync(file);
  const add = database.prepare(
    `INSERT INTO registry (server, kind, name, seen, is_listed, first_seen, changed_at, size) VALUES (?, ?, 'search', 'x', 1, ?, 1, 0)`,
  );
  for (const [server, kind, time] of [
    ['first', 'tool', 2],
    // Its clock was set back.
    ['late', 'tool', 1],
    ['other', 'prompt', 0],
  ] as const)
    add.run(server, kind, time);
  database.exec(
    "INSERT INTO grants (session, fingerprint, server, method, approval, granted_by, expires) VALUES ('s', 'f', 'x', 'm', 'a', 'b', 1)",
  );
  database.close();
  const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
  expect(store.begin()).toBe(true);
  expect(store.inRegistry((registry) => registry.listers('search'))).toEqual(['first', 'late']);
  store.inSessions((log) => {
    expect(log.current('s', { now: 1, idle: 1 })).toBe('s');
    expect([log.entries('s', 0, 10), log.values('s', 0, 10), log.servers('s')]).toEqual([[], [], []]);
    log.addCall('s', pastCall('a'));
  });
  store.commit();
  store.close();
  expect(query(file, 'SELECT id FROM session_calls')).toEqual([{ id: 'a' }]);
  expect(query(file, 'SELECT session FROM grants')).toEqual([{ session: 's' }]);
  expect(query(file, 'PRAGMA user_version')).toEqual([{ user_version: MIGRATIONS.length }]);
});

it('a store without seen calls gets them, and an older clawai writes along, which leaves them alone', () => {
  makeOlder(BEFORE_SEEN_CALLS);
  const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
  expect(store.begin()).toBe(true);
  store.inSeenCalls((seenCalls) => {
    expect(seenCalls.of('s', 'c')).toEqual([]);
    seenCalls.add('s', 'c', { record: 'r.1', time: 9e12, toolUseId: '', isDenied: false, granted: undefined });
  });
  store.append(storedEvent('one'));
  store.commit();
  store.close();
  expect(query(file, 'PRAGMA user_version')).toEqual([{ user_version: MIGRATIONS.length }]);
  expect(MIN_WRITER).toBeLessThanOrEqual(BEFORE_SEEN_CALLS);
  expect(query(file, 'SELECT value FROM state')).toEqual([{ value: 'value' }]);
  // As one that knows nothing of them erases.
  alter(file, 'DELETE FROM events');
  expect(query(file, 'SELECT event FROM sightings')).toEqual([{ event: 'r.1' }]);
});

it('what has a store open as it was writes nothing more by the old tables', () => {
  makeOlder(BEFORE_SESSIONS);
  const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
  store.begin();
  store.commit();
  // A newer clawai takes a further step meanwhile.
  const newer = new DatabaseSync(file);
  migrate(newer, [...MIGRATIONS, 'ALTER TABLE session_calls ADD COLUMN more TEXT']);
  newer.close();
  expect(store.begin()).toBe(false);
  expect(store.begin()).toBe(true);
  store.inSessions((log) => log.addCall('s', pastCall('a')));
  store.commit();
  expect(query(file, 'SELECT id, more FROM session_calls')).toEqual([{ id: 'a', more: null }]);
  store.close();
  // It tidies nothing of tables that it may not know all of.
  tidy(file, { retain: 0, maxSize: 0 }, { now: 9e12 });
  expect(query(file, 'SELECT id FROM session_calls')).toEqual([{ id: 'a' }]);
});

it('a registry that a clawai without detection has made is read, and what it goes on writing is not taken for looked at', () => {
  makeOlder(BEFORE_LOOKS);
  const reader = openRegistryReader(file);
  expect(reader?.definitions({})).toEqual([]);
  reader?.close();
  const look = { version: '1', severity: undefined, isCut: false, detections: [] };
  const detections = (): unknown => {
    const opened = openRegistryReader(file);
    const found = opened?.definitions({})[0]?.detections;
    opened?.close();
    return found;
  };
  register(file, (registry) => registry.write('files', [sighted('read', 'a')], 1));
  register(file, (registry) => registry.writeScanResult('files', sighted('read', 'a').seen as never, look, 2));
  expect(detections()).toEqual(look);
  alter(file, "UPDATE registry SET seen = 'sha256:other'");
  expect(detections()).toBeUndefined();
});
