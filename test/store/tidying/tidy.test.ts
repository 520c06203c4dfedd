import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { KEEP_ALL, tidy } from '../../../src/store/tidying/tidy.ts';
import { Running } from '../../support/running.ts';
import { rest } from '../../support/guarded.ts';
import { launched, register, sighted } from '../../support/registered.ts';
import { support } from '../../support/sandbox.ts';
import { alter, chainFaults, query, storedEvent, storedIds } from '../../support/stored.ts';

let folder = '';
let file = '';
const opened: SqliteStore[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-store-'));
  file = join(folder, 'clawai.db');
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

/** Records one event at each time, with that as its id. */
function record(store: SqliteStore, times: readonly number[], size = 0): void {
  for (const time of times) {
    // The process that the store itself has started to tidy may have it for a moment.
    let isBegun = store.begin();
    for (let tries = 0; !isBegun && tries < 500; tries++) isBegun = store.begin();
    expect(isBegun).toBe(true);
    store.append(storedEvent(String(time), { time, body: JSON.stringify({ id: String(time), more: 'x'.repeat(size) }) }));
    store.commit();
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (isTrue()) return;
    await new Promise((settle) => setTimeout(settle, 20));
  }
  throw new Error('waited in vain');
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('tidy', () => {
  it('never erases what is known of servers', () => {
    const store = create();
    record(store, range(0, 20), 100);
    store.close();
    register(file, (registry) => {
      registry.write('files', [sighted('read', 'a', { isPinned: true }), sighted('gone', 'a', { isListed: false })], 1);
      registry.writeServer('files', launched('npx'), { isPinned: true, now: 1 });
      registry.writePage('files', 'tool', '', 'digest', 1);
    });
    expect(tidy(file, { retain: 1, maxSize: 1 }, { now: 1e15 }).erased).toBe(19);
    const known = register(file, (registry) => [
      registry.pins('files', 'tool').size,
      registry.text('files', 'tool', 'read', 'pinned') === sighted('read', 'a').seen?.text,
      registry.server('files')?.pinned === launched('npx').fingerprint,
      registry.page('files', 'tool', ''),
    ]);
    expect(known).toEqual([2, true, true, 'digest']);
  });

  it('brings the log home and empties it while the store is open', () => {
    const store = create();
    record(store, range(0, 300), 1000);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(1_000_000);
    expect(tidy(file, KEEP_ALL, { now: 1000 })).toEqual({ erased: 0, isLogEmpty: true });
    expect(statSync(`${file}-wal`).size).toBeLessThan(20_000);
    record(store, [300]);
    expect(storedIds(file)).toHaveLength(301);
  });

  it('leaves the log to a reader that still needs it', () => {
    record(create(), range(0, 10));
    const reader = create();
    reader.begin();
    reader.read('s', 'k', 0);
    const { isLogEmpty } = tidy(file, KEEP_ALL, { now: 1000 });
    expect(isLogEmpty).toBe(false);
  });

  it('erases what is older than that, and the chains verify from there', () => {
    const [a, b] = [create(), create()];
    for (const time of range(0, 100)) record(time % 3 === 0 ? a : b, [time]);
    expect(tidy(file, { retain: 50, maxSize: Number.POSITIVE_INFINITY }, { now: 100 }).erased).toBe(50);
    expect(storedIds(file)).toEqual(range(50, 100).map(String));
    expect(query(file, 'SELECT writer, n FROM checkpoints ORDER BY writer')).toEqual([
      { writer: 1, n: 17 },
      { writer: 2, n: 33 },
    ]);
    expect(chainFaults(file)).toEqual([]);
    record(a, [100]);
    record(b, [101]);
    tidy(file, { retain: 20, maxSize: Number.POSITIVE_INFINITY }, { now: 100 });
    expect(storedIds(file)).toEqual(range(80, 102).map(String));
    expect(chainFaults(file)).toEqual([]);
  });

  it('keeps the last event, so that numbers never come again', () => {
    const store = create();
    record(store, [1, 2, 3]);
    expect(tidy(file, { retain: 0, maxSize: 0 }, { now: 1_000_000 }).erased).toBe(2);
    expect(storedIds(file)).toEqual(['3']);
    record(store, [4]);
    expect(query(file, 'SELECT seq FROM events')).toEqual([{ seq: 3 }, { seq: 4 }]);
    expect(chainFaults(file)).toEqual([]);
  });

  it('erases nothing behind an event that is young enough, whatever the clock did', () => {
    record(create(), [10, 90, 20, 95]);
    expect(tidy(file, { retain: 50, maxSize: Number.POSITIVE_INFINITY }, { now: 100 }).erased).toBe(1);
    expect(storedIds(file)).toEqual(['90', '20', '95']);
    expect(chainFaults(file)).toEqual([]);
  });

  it('erases the oldest beyond a size, and gives the space back', async () => {
    record(create(), range(0, 2000), 4000);
    // So long a log starts the store's own thread; only one at a time can bring it home.
    await until(() => tidy(file, KEEP_ALL, { now: 1000 }).isLogEmpty);
    const full = statSync(file).size;
    const { erased, isLogEmpty } = tidy(file, { retain: 1_000_000, maxSize: 3_000_000 }, { now: 1000 });
    expect(erased).toBeGreaterThan(1000);
    expect(isLogEmpty).toBe(true);
    expect(full).toBeGreaterThan(8_000_000);
    // The pages kept for what comes next are on top.
    expect(statSync(file).size).toBeLessThan(3_000_000 + 257 * 4096);
    expect(storedIds(file)).toEqual(range(erased, 2000).map(String));
    expect(chainFaults(file)).toEqual([]);
  });

  it('removes expired state', () => {
    const store = create();
    store.begin();
    for (let i = 0; i < 100; i++) store.write('s', String(i), 'v', i);
    store.commit();
    tidy(file, KEEP_ALL, { now: 49 });
    expect(query(file, 'SELECT min(expires) AS first, count(*) AS rows FROM state')).toEqual([{ first: 50, rows: 50 }]);
  });

  it.each<[string, () => void]>([
    ['nothing', () => {}],
    ['a folder', () => mkdirSync(file)],
    ['an empty file', () => writeFileSync(file, '')],
  ])('leaves %s alone', (_what, make) => {
    make();
    expect(tidy(file, KEEP_ALL, { now: 0 })).toEqual({ erased: 0, isLogEmpty: false });
  });

  it('never alters what is not a store of this version', () => {
    alter(file, 'PRAGMA journal_mode = DELETE; CREATE TABLE events (seq INTEGER PRIMARY KEY, time)');
    const before = readFileSync(file);
    expect(() => tidy(file, { retain: 0, maxSize: 0 }, { now: 1000 })).toThrow(
      expect.objectContaining({ code: 'store_foreign' }),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('brings the log of a newer version home, and erases nothing of it', () => {
    record(create(), [1, 2, 3]);
    alter(file, 'PRAGMA user_version = 98');
    expect(tidy(file, { retain: 0, maxSize: 0 }, { now: 1_000_000 })).toEqual({ erased: 0, isLogEmpty: true });
    expect(storedIds(file)).toEqual(['1', '2', '3']);
  });

  it('may be ended at any moment, while others write', async () => {
    const store = create();
    record(store, range(0, 3000), 500);
    const writer = new Running([process.execPath, support('store-process.mjs'), 'forward', file, 'w', '1500'], {
      env: {},
      cwd: folder,
    });
    await writer.lines(1);
    const old = (): number => query(file, 'SELECT seq FROM events WHERE seq <= 3000').length;
    // From before it has begun until it has done some of it, which a busy machine takes its time for.
    for (let i = 0; i < 8 || (old() === 3000 && i < 30); i++) {
      const task = JSON.stringify({ file, retention: { retain: 0, maxSize: 1e12 } });
      const worker = support('../../src/store/tidying/tidy-worker.ts');
      const tidier = new Running([process.execPath, worker, task], { env: {}, cwd: folder });
      await rest(60 * 1.2 ** i);
      tidier.kill('SIGKILL');
      expect((await tidier.ended).stderr).toBe('');
      expect(chainFaults(file)).toEqual([]);
    }
    const { stdout, stderr } = await writer.ended;
    expect(stderr).toBe('');
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as string;
    expect(storedIds(file).at(-1)).toBe(last);
    expect(old()).toBeLessThan(3000);
  });
});
