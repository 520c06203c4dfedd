import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { chainFaults, query, storedEvent, storedIds } from '../support/stored.ts';

let folder = '';
let file = '';
const opened: SqliteStore[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-store-'));
  file = join(folder, 'state', 'clawai.db');
});
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  rmSync(folder, { recursive: true });
});

function create(): SqliteStore {
  const store = new SqliteStore({ file, writerVersion: '1.2.3', sync: 'normal' });
  opened.push(store);
  return store;
}

function record(store: SqliteStore, ...ids: readonly string[]): void {
  expect(store.begin()).toBe(true);
  for (const id of ids) store.append(storedEvent(id));
  store.commit();
}

describe('SqliteStore', () => {
  it('touches nothing before the first transaction', () => {
    create().close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('makes a folder and files that nobody else can read', () => {
    const store = create();
    record(store, 'a');
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
  });

  it('makes a write-ahead log whose pages no writer brings home, and a file that can shrink', () => {
    record(create(), 'a');
    expect(query(file, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(query(file, 'PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }]);
    const store = create();
    const bytes = statSync(`${file}-wal`).size;
    // Far more pages than SQLite leaves in the log by itself.
    for (let i = 0; i < 2000; i++) record(store, String(i));
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(bytes + 2000 * 4096);
  });

  it('keeps events with what they are searched by', () => {
    const store = create();
    store.begin();
    store.append(storedEvent('a', { tool: 'read', action: 'block', severity: 'high', session: 'é\u0000' }));
    store.append(storedEvent('b'));
    store.commit();
    expect(query(file, 'SELECT seq, writer, n, time, type, session, server, tool, action, severity FROM events')).toMatchObject([
      { seq: 1, writer: 1, n: 1, type: 'mcp_tool_called', server: 'files', tool: 'read', action: 'block', severity: 'high' },
      { seq: 2, writer: 1, n: 2, time: 1_700_000_000_000, session: 's', tool: null, action: null, severity: null },
    ]);
    expect(query(file, 'SELECT name, version FROM writers')).toEqual([
      { name: expect.stringMatching(/^[0-9a-f]{16}$/), version: '1.2.3' },
    ]);
  });

  it('hashes what is stored, also where a text is no proper Unicode', () => {
    const store = create();
    store.begin();
    store.append(storedEvent('', { body: '{"id":"\ud800 ü 日本 😀"}' }));
    store.commit();
    expect(chainFaults(file)).toEqual([]);
  });

  it('gives each process a chain of its own', () => {
    const [a, b] = [create(), create()];
    record(a, 'a1');
    record(b, 'b1');
    record(a, 'a2', 'a3');
    record(b, 'b2');
    expect(storedIds(file)).toEqual(['a1', 'b1', 'a2', 'a3', 'b2']);
    expect(query(file, 'SELECT writer, n FROM events ORDER BY seq').map(({ writer, n }) => `${writer}.${n}`)).toEqual([
      '1.1',
      '2.1',
      '1.2',
      '1.3',
      '2.2',
    ]);
    expect(chainFaults(file)).toEqual([]);
  });

  it('takes everything back at a rollback, its own row too', () => {
    const store = create();
    store.begin();
    store.append(storedEvent('gone'));
    store.write('s', 'k', '1', 10);
    store.rollback();
    store.rollback();
    expect(query(file, 'SELECT * FROM writers')).toEqual([]);
    record(store, 'a');
    store.begin();
    store.append(storedEvent('gone too'));
    expect(store.read('s', 'k', 0)).toBeUndefined();
    store.rollback();
    record(store, 'b');
    expect(storedIds(file)).toEqual(['a', 'b']);
    expect(chainFaults(file)).toEqual([]);
  });

  it('says false while another has a transaction, and goes on after it', () => {
    const [a, b] = [create(), create()];
    expect(a.begin()).toBe(true);
    a.write('s', 'k', 'a', 10);
    expect(b.begin()).toBe(false);
    a.commit();
    expect(b.begin()).toBe(true);
    expect(b.read('s', 'k', 0)).toBe('a');
  });

  it('keeps values until they expire', () => {
    const store = create();
    store.begin();
    store.write('s', 'k', 'old', 100);
    store.write('s', 'k', 'new', 200);
    store.write('t', 'k', 'other', 300);
    store.commit();
    const reader = create();
    reader.begin();
    expect(reader.read('s', 'k', 199)).toBe('new');
    expect(reader.read('s', 'k', 200)).toBeUndefined();
    expect(reader.read('t', 'k', 200)).toBe('other');
    expect(reader.read('t', 'x', 200)).toBeUndefined();
  });

  it('removes expired values bit by bit', () => {
    const store = create();
    store.begin();
    for (let i = 0; i < 500; i++) store.write('s', `k${i}`, 'v', i < 400 ? 100 : 300);
    store.commit();
    const count = (): number => query(file, 'SELECT * FROM state').length;
    expect(count()).toBe(500);
    store.begin();
    store.read('s', 'k', 200);
    for (let i = 0; i < 500; i++) store.write('s', 'one', 'v', 300);
    store.commit();
    expect(count()).toBe(101);
  });

  it('keeps the order of commits when the clock goes back', () => {
    const store = create();
    for (const time of [3000, 1000, 2000]) {
      store.begin();
      store.append(storedEvent(String(time), { time }));
      store.commit();
    }
    expect(storedIds(file)).toEqual(['3000', '1000', '2000']);
    expect(chainFaults(file)).toEqual([]);
  });

  it('calls what is out of order a bug', () => {
    const store = create();
    expect(() => store.append(storedEvent('a'))).toThrow(/no transaction/);
    expect(() => store.commit()).toThrow(/no transaction/);
    store.begin();
    expect(() => store.begin()).toThrow(/begun already/);
    store.close();
    expect(() => store.begin()).toThrow(/closed/);
  });

  it('commits nothing of a transaction in which something failed', () => {
    const store = create();
    record(store, 'a');
    store.begin();
    store.append(storedEvent('b'));
    const broken = storedEvent('c', { time: 'now' as unknown as number });
    expect(() => store.append(broken)).toThrow(/INTEGER/);
    expect(() => store.append(storedEvent('d'))).toThrow(/INTEGER/);
    expect(() => store.commit()).toThrow(/INTEGER/);
    store.rollback();
    record(store, 'e');
    expect(storedIds(file)).toEqual(['a', 'e']);
    expect(chainFaults(file)).toEqual([]);
  });

  it('leaves the log as it is when it is closed, and loses nothing of it', () => {
    const store = create();
    store.begin();
    for (let i = 0; i < 100; i++) store.append(storedEvent(`${i}`.repeat(40_000)));
    store.commit();
    const bytes = statSync(`${file}-wal`).size;
    store.close();
    // Bringing it home would have removed it.
    expect(statSync(`${file}-wal`).size).toBe(bytes);
    record(create(), 'next');
    expect(query(file, 'SELECT * FROM events')).toHaveLength(101);
    expect(chainFaults(file)).toEqual([]);
  });
});
