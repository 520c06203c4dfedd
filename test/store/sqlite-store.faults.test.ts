import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClawaiError } from '../../src/errors.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { KEEP_ALL, tidy } from '../../src/store/tidying/tidy.ts';
import { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';
import { alter, chainFaults, query, storedEvent, storedIds } from '../support/stored.ts';

const PROCESS = support('store-process.mjs');
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

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

function record(store: SqliteStore, id: string): void {
  expect(store.begin()).toBe(true);
  store.append(storedEvent(id));
  store.commit();
}

/** A closed store with some events, all of them in the file itself. */
function prepared(count = 1): string {
  const store = create();
  for (let i = 0; i < count; i++) record(store, `old${i}`);
  store.close();
  tidy(file, KEEP_ALL, { now: 0 });
  return file;
}

/** Code and whether there is a hint of what `begin` and an event end with. */
function refusal(store: SqliteStore): unknown {
  try {
    record(store, 'refused');
    return undefined;
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    expect(error.hint).toMatch(/.{10}/);
    expect(error.place?.file.startsWith(file)).toBe(true);
    return error.code;
  }
}

/** Runs the process and gives what it printed, parsed. */
function run(args: readonly string[], { uid, prefix = [] }: { uid?: number; prefix?: readonly string[] } = {}): unknown[] {
  const [command = '', ...rest] = [...prefix, process.execPath, PROCESS, ...args];
  const options = { encoding: 'utf8', timeout: 30_000, ...(uid === undefined ? {} : { uid, gid: uid }) } as const;
  const { stdout, stderr, signal } = spawnSync(command, rest, options);
  expect({ signal, stderr }).toEqual({ signal: null, stderr: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('a store that another process holds', () => {
  it('is refused soon, also when it was not open yet, and had again after it', async () => {
    const open = create();
    record(open, 'a');
    const locker = new Running([process.execPath, PROCESS, 'lock', file], { env: {}, cwd: folder });
    await locker.lines(1);
    const unopened = create();
    // SQLite by itself would wait for ever, since the locker goes on until it is told.
    for (const store of [open, unopened, open, unopened, open, unopened]) expect(store.begin()).toBe(false);
    await locker.close();
    record(open, 'b');
    record(unopened, 'c');
    expect(storedIds(file)).toEqual(['a', 'b', 'c']);
    expect(chainFaults(file)).toEqual([]);
  });
});

describe('something else in the place', () => {
  const places: [string, () => void, string][] = [
    ['a folder', () => mkdirSync(file), 'store_unavailable'],
    [
      'a link to a file',
      () => (writeFileSync(join(folder, 'other'), ''), symlinkSync(join(folder, 'other'), file)),
      'store_unavailable',
    ],
    ['a link to nothing', () => symlinkSync(join(folder, 'nothing'), file), 'store_unavailable'],
    ['a pipe', () => spawnSync('mkfifo', [file]), 'store_unavailable'],
    ['a pipe as its log', () => (prepared(), spawnSync('mkfifo', [`${file}-wal`])), 'store_unavailable'],
    ['text', () => writeFileSync(file, 'not a database, but long enough to be one\n'.repeat(200)), 'store_corrupt'],
    ['another SQLite file', () => alter(file, 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'), 'store_foreign'],
    [
      'one with a log',
      () => alter(file, 'PRAGMA journal_mode = WAL; PRAGMA application_id = 7; CREATE TABLE t (a)'),
      'store_foreign',
    ],
    [
      'a store of a newer version',
      () => alter(prepared(), "PRAGMA user_version = 98; UPDATE meta SET value = '98'"),
      'store_newer',
    ],
    ['one that says nothing about us', () => alter(prepared(), 'PRAGMA user_version = 98; DELETE FROM meta'), 'store_newer'],
    ['one without its tables', () => alter(prepared(), 'DROP TABLE events'), 'store_corrupt'],
  ];
  it.each(places)('%s is refused and not altered', (_what, make, code) => {
    make();
    const before = statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file) : undefined;
    expect(refusal(create())).toBe(code);
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
    if (before !== undefined) expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('an empty file is a new store', () => {
    writeFileSync(file, '', { mode: 0o644 });
    record(create(), 'a');
    expect(storedIds(file)).toEqual(['a']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('a store of a newer version that we may write is written', () => {
    alter(prepared(), "PRAGMA user_version = 98; ALTER TABLE events ADD COLUMN more TEXT; UPDATE meta SET value = '1'");
    record(create(), 'a');
    expect(storedIds(file)).toEqual(['old0', 'a']);
  });

  it('notices a newer version that comes while the store is open', () => {
    const store = create();
    record(store, 'a');
    alter(file, 'PRAGMA user_version = 98');
    expect(store.begin()).toBe(false);
    record(store, 'b');
    alter(file, "PRAGMA user_version = 99; UPDATE meta SET value = '99'");
    expect(store.begin()).toBe(false);
    expect(refusal(store)).toBe('store_newer');
    expect(storedIds(file)).toEqual(['a', 'b']);
  });

  it('is tried again, but not at once', async () => {
    mkdirSync(file);
    const store = create();
    expect(refusal(store)).toBe('store_unavailable');
    rmSync(file, { recursive: true });
    expect(refusal(store)).toBe('store_unavailable');
    await new Promise((settle) => setTimeout(settle, 110));
    record(store, 'a');
    expect(storedIds(file)).toEqual(['a']);
  });
});

describe('damage', () => {
  it('at the beginning is named', () => {
    const bytes = readFileSync(prepared(50));
    bytes.fill(0x5a, 0, 100);
    writeFileSync(file, bytes);
    expect(refusal(create())).toBe('store_corrupt');
  });

  it('all over the pages is named, and never crashes', () => {
    const bytes = readFileSync(prepared(50));
    for (let i = 100; i < bytes.length; i++) bytes[i] = (i * 7919) & 0xff;
    writeFileSync(file, bytes);
    const store = create();
    expect(refusal(store)).toBe('store_corrupt');
  });

  it('that comes while it is open is named', () => {
    const store = create();
    prepared(50);
    expect(store.begin()).toBe(true);
    store.rollback();
    truncateSync(file, 4096);
    expect(refusal(store)).toBe('store_corrupt');
  });
});

describe('a file that goes', () => {
  it('is made anew, and nothing is recorded into the deleted one', () => {
    const store = create();
    record(store, 'a');
    rmSync(file);
    record(store, 'b');
    record(store, 'c');
    expect(storedIds(file)).toEqual(['b', 'c']);
    expect(query(file, 'SELECT n FROM events')).toEqual([{ n: 1 }, { n: 2 }]);
    expect(chainFaults(file)).toEqual([]);
  });

  it('is made anew with its folder', () => {
    file = join(folder, 'state', 'clawai.db');
    const [a, b] = [create(), create()];
    record(a, 'a');
    record(b, 'b');
    rmSync(dirname(file), { recursive: true });
    record(a, 'c');
    record(b, 'd');
    record(a, 'e');
    expect(storedIds(file)).toEqual(['c', 'd', 'e']);
    expect(chainFaults(file)).toEqual([]);
  });

  /** Another store, all of it in its file. */
  function other(): string {
    const path = join(folder, 'other.db');
    const store = new SqliteStore({ file: path, writerVersion: '1', sync: 'normal' });
    record(store, 'b');
    store.close();
    tidy(path, KEEP_ALL, { now: 0 });
    return path;
  }

  it.each([
    ['without the log of the one before', true],
    ['beside the log of the one before', false],
  ])('is left for the one that was put in its place, %s', (_, isLogGone) => {
    const store = create();
    record(store, 'a');
    const path = other();
    if (isLogGone) for (const suffix of ['-wal', '-shm']) rmSync(file + suffix);
    renameSync(path, file);
    record(store, 'c');
    record(create(), 'd');
    expect(storedIds(file)).toEqual(['b', 'c', 'd']);
    expect(chainFaults(file)).toEqual([]);
  });

  it('takes along what was recorded, where it is moved', () => {
    const store = create();
    record(store, 'a');
    renameSync(file, join(folder, 'evidence.db'));
    record(store, 'b');
    expect([storedIds(join(folder, 'evidence.db')), storedIds(file)]).toEqual([['a'], ['b']]);
  });

  it.each([
    ['deleted', () => rmSync(file), ['d']],
    ['replaced', () => renameSync(other(), file), ['b', 'd']],
  ])('is no place for what was recorded while it was %s', (_, take, left) => {
    const store = create();
    record(store, 'a');
    store.begin();
    store.append(storedEvent('c'));
    take();
    expect(() => store.commit()).toThrow(/was deleted or replaced while this was recorded/);
    store.rollback();
    record(store, 'd');
    expect(store.isReplaced).toBe(true);
    expect(storedIds(file)).toEqual(left);
  });

  it.each(['-wal', '-shm'])('keeps what it had where its %s is gone when it is closed', (suffix) => {
    const store = create();
    record(store, 'a');
    record(store, 'b');
    rmSync(file + suffix);
    // Within the time in which nobody looks again.
    record(store, 'c');
    store.close();
    expect(storedIds(file)).toEqual(['a', 'b', 'c']);
    expect(chainFaults(file)).toEqual([]);
  });

  it.each(['-wal', '-shm'])('is opened anew when its %s is gone, and keeps what it had', async (suffix) => {
    const store = create();
    record(store, 'a');
    rmSync(file + suffix);
    await new Promise((settle) => setTimeout(settle, 60));
    record(store, 'b');
    record(create(), 'c');
    expect(storedIds(file)).toEqual(['a', 'b', 'c']);
    expect(chainFaults(file)).toEqual([]);
  });
});

describe.runIf(isRoot)('without permission', () => {
  it.each([
    ['a file', () => chmodSync(file, 0o444)],
    ['a folder', () => chmodSync(folder, 0o555)],
  ])('to write %s, it says so', (_what, forbid) => {
    prepared();
    chmodSync(folder, 0o777);
    for (const suffix of ['', '-wal', '-shm']) if (existsSync(file + suffix)) chmodSync(file + suffix, 0o666);
    forbid();
    expect(run(['once', file, 'a'], { uid: NOBODY })).toMatchObject([{ code: 'store_read_only' }]);
    chmodSync(folder, 0o700);
    expect(storedIds(file)).toEqual(['old0']);
  });

  it('to make its folder, it says so', () => {
    chmodSync(folder, 0o755);
    expect(run(['once', join(folder, 'state', 'clawai.db'), 'a'], { uid: NOBODY })).toMatchObject([{ code: 'store_read_only' }]);
  });
});

describe('a full disk', () => {
  it('is named, what was committed stays, and it goes on when there is space', () => {
    prepared();
    const printed = run(['fill', file, 'x'], { prefix: ['sh', '-c', 'ulimit -f 400; exec "$@"', 'sh'] });
    expect(printed.length).toBeGreaterThan(2);
    expect(printed.at(-1)).toMatchObject({ code: expect.stringMatching(/^store_(full|unavailable)$/) as unknown });
    record(create(), 'after');
    expect(storedIds(file)).toEqual(['old0', ...printed.slice(0, -1), 'after']);
    expect(chainFaults(file)).toEqual([]);
  });

  it.runIf(isRoot)('of a real file system too', ({ skip }) => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', disk]);
    if (status !== 0) skip('nothing can be mounted here');
    try {
      const full = join(disk, 'clawai.db');
      const printed = run(['fill', full, 'x']);
      expect(printed.length).toBeGreaterThan(2);
      expect(printed.at(-1)).toMatchObject({ code: 'store_full' });
      expect(storedIds(full)).toEqual(printed.slice(0, -1));
      expect(chainFaults(full)).toEqual([]);
    } finally {
      spawnSync('umount', [disk]);
    }
  });
});
