/** @module-tag long */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS, MIN_WRITER } from '../../src/store/schema.ts';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, isUnrecorded, ping, rest } from '../support/guarded.ts';
import { alter, chainFaults } from '../support/stored.ts';

/** A store that can't be used, under a process that goes on, and its recovery. */
const sandbox = useSandbox();

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Something that makes a store unusable, and how it goes away again. */
interface Fault {
  readonly what: string;
  readonly make: (file: string) => void;
  readonly mend: (file: string) => void;
  /** Of the warning. */
  readonly said: RegExp;
}

const SUFFIXES = ['', '-wal', '-shm'];

function putAway(file: string): void {
  for (const suffix of SUFFIXES) if (existsSync(file + suffix)) renameSync(file + suffix, `${file}.away${suffix}`);
}

function bringBack(file: string): void {
  for (const suffix of SUFFIXES) {
    rmSync(file + suffix, { recursive: true, force: true });
    if (existsSync(`${file}.away${suffix}`)) renameSync(`${file}.away${suffix}`, file + suffix);
  }
}

function inPlace(what: string, put: (file: string) => void, said: RegExp): Fault {
  return { what, make: (file) => (putAway(file), put(file)), mend: bringBack, said };
}

const FAULTS: readonly Fault[] = [
  inPlace('a folder in its place', (file) => mkdirSync(file), /clawai\.db is a folder, not a file/),
  inPlace('a pipe in its place', (file) => spawnSync('mkfifo', [file]), /clawai\.db is a pipe or a device, not a file/),
  inPlace('a link in its place', (file) => symlinkSync('/etc/hostname', file), /clawai\.db is a link, not a file/),
  {
    what: 'a link to itself in its place',
    make: (file) => (renameSync(file, `${file}.moved`), symlinkSync(`${file}.moved`, file)),
    mend: (file) => renameSync(`${file}.moved`, file),
    said: /clawai\.db is a link, not a file/,
  },
  inPlace('text in its place', (file) => writeFileSync(file, 'no database\n'.repeat(1000)), /clawai\.db is not a store/),
  inPlace(
    'another SQLite file in its place',
    (file) => alter(file, 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'),
    /clawai\.db is not a clawai store, but another SQLite file/,
  ),
  {
    what: 'a newer version of it',
    make: (file) => alter(file, "PRAGMA user_version = 999; UPDATE meta SET value = '999' WHERE key = 'min_writer'"),
    mend: (file) =>
      alter(file, `PRAGMA user_version = ${MIGRATIONS.length}; UPDATE meta SET value = '${MIN_WRITER}' WHERE key = 'min_writer'`),
    said: /clawai\.db was written by a newer clawai/,
  },
  {
    what: 'a file in the place of its folder',
    make: (file) => (renameSync(dirname(file), `${dirname(file)}.away`), writeFileSync(dirname(file), '')),
    mend: (file) => (rmSync(dirname(file)), renameSync(`${dirname(file)}.away`, dirname(file))),
    said: /clawai\.db cannot be (?:made|used)/,
  },
  {
    what: 'a lost table',
    make: (file) => alter(file, 'ALTER TABLE events RENAME TO hidden'),
    mend: (file) => alter(file, 'ALTER TABLE hidden RENAME TO events'),
    said: /clawai\.db is damaged/,
  },
];

/** Nothing went on that is in no record, and each request was answered once. */
function expectNothingLost(guarded: Guarded, sent: readonly unknown[]): void {
  const recorded = new Set(sandbox.current.decided().map((event) => event['jsonrpc_id']));
  expect(guarded.reached().filter((id) => typeof id === 'number' && !recorded.has(id))).toEqual([]);
  expect(guarded.answers().map(({ id }) => id)).toEqual(sent);
  expect(chainFaults(sandbox.current.storeFile)).toEqual([]);
}

/** Once on stderr, and once in the store that is there now, right before what was recorded in it first. */
function expectReplacementTold(guarded: Guarded): void {
  expect(guarded.said()).toEqual([expect.stringMatching(/the store file was deleted or replaced .* trust starts anew/)]);
  const events = sandbox.current.events().map(({ type }) => type);
  expect(events.filter((type) => type === 'mcp_store_replaced')).toHaveLength(1);
  expect(events.at(-1)).not.toBe('mcp_store_replaced');
}

async function makeStore(): Promise<void> {
  const first = new Guarded(sandbox.current, { name: 'first' });
  await first.call(0);
  await first.process.close();
}

describe.each(['while it is open', 'before it is opened'])('%s', (when) => {
  it.each(FAULTS)('$what: calls are denied, said once, and pass when it is gone', async ({ make, mend, said }) => {
    const { storeFile } = sandbox.current;
    await makeStore();
    const guarded = new Guarded(sandbox.current);
    const first = when === 'while it is open' ? 1 : 'up';
    guarded.send(first === 1 ? call(1) : ping('up'));
    await guarded.answerTo(first);
    make(storeFile);
    expect(isUnrecorded(await guarded.call(2))).toBe(true);
    guarded.send(ping('p'));
    await guarded.answerTo('p');
    expect(isUnrecorded(await guarded.call(3))).toBe(true);
    mend(storeFile);
    await rest(150);
    expect(isUnrecorded(await guarded.call(4))).toBe(false);
    await guarded.process.close();
    expect(guarded.reached()).toEqual([first, 'p', 4]);
    // The result of the first call may be read only now, on a busy machine, and needs a file beside the store.
    const others = guarded.said().filter((line) => !line.includes('values of results are not followed'));
    expect(others).toEqual([expect.stringMatching(said)]);
    expectNothingLost(guarded, [first, 2, 'p', 3, 4]);
  });
});

it.each(['the file', 'the folder', 'the content'])(
  '%s is deleted while it is open: a new store is begun, and no call goes on unrecorded',
  async (what) => {
    const { storeFile } = sandbox.current;
    const guarded = new Guarded(sandbox.current);
    await guarded.call(1);
    if (what === 'the folder') rmSync(dirname(storeFile), { recursive: true });
    else if (what === 'the file') for (const suffix of SUFFIXES) rmSync(storeFile + suffix);
    else for (const suffix of ['', '-wal']) truncateSync(storeFile + suffix);
    guarded.send(call(2), ping('p'), call(3));
    await guarded.answerTo(3);
    await guarded.process.close();
    expect(guarded.reached()).toEqual([1, 2, 'p', 3]);
    expect(guarded.answers().some(isUnrecorded)).toBe(false);
    expect(sandbox.current.decided().map((event) => event['jsonrpc_id'])).toEqual([2, 3]);
    expect(statSync(storeFile).mode & 0o777).toBe(0o600);
    expectReplacementTold(guarded);
  },
);

it.each(['alone', 'beside the log of the one before'])(
  'another store in its place, %s, is the one that is written from then on',
  async (how) => {
    const { storeFile } = sandbox.current;
    await makeStore();
    alter(storeFile, 'PRAGMA wal_checkpoint(TRUNCATE)');
    putAway(storeFile);
    const guarded = new Guarded(sandbox.current);
    await guarded.call(1);
    if (how === 'alone') for (const suffix of SUFFIXES) rmSync(storeFile + suffix, { force: true });
    renameSync(`${storeFile}.away`, storeFile);
    await guarded.call(2);
    await guarded.process.close();
    expect(sandbox.current.decided().map((event) => event['jsonrpc_id'])).toEqual([0, 2]);
    expect(chainFaults(storeFile)).toEqual([]);
    expectReplacementTold(guarded);
  },
);

describe.runIf(isRoot)('what only root can arrange', () => {
  it.each(['file', 'folder'])('a %s that may not be written, and then may be', async (what) => {
    const { current } = sandbox;
    await makeStore();
    const folder = dirname(current.storeFile);
    // What SQLite keeps beside it comes and goes; without a place for that, nothing can be written.
    if (what === 'folder') for (const suffix of ['-wal', '-shm']) rmSync(current.storeFile + suffix);
    for (const path of [current.folder, current.state]) chmodSync(path, 0o777);
    for (const name of readdirSync(folder)) chownSync(join(folder, name), NOBODY, NOBODY);
    chownSync(folder, what === 'file' ? NOBODY : 0, 0);
    chmodSync(folder, 0o755);
    const others = what === 'file' ? readdirSync(folder) : [];
    for (const name of others) {
      chownSync(join(folder, name), 0, 0);
      chmodSync(join(folder, name), 0o644);
    }
    const guarded = new Guarded(current, { uid: NOBODY, server: unprivileged() });
    guarded.send(ping(1), call(2), ping('p'), call(3));
    expect(isUnrecorded(await guarded.answerTo(3))).toBe(true);
    expect(isUnrecorded(await guarded.answerTo(2))).toBe(true);
    chownSync(folder, NOBODY, NOBODY);
    for (const name of readdirSync(folder)) chownSync(join(folder, name), NOBODY, NOBODY);
    await rest(150);
    expect(isUnrecorded(await guarded.call(4))).toBe(false);
    await guarded.process.close();
    // This folder is open to others, which is told as well where the process lives long enough to look.
    const said = guarded.said().filter((line) => !line.includes('other users can change the policy'));
    expect(said).toEqual([expect.stringMatching(/clawai\.db is not writable/)]);
    expect(current.decided().map((event) => event['jsonrpc_id'])).toEqual(what === 'file' ? [0, 4] : [4]);
  });

  it('a full disk: what is recorded stays, calls are denied, and pass when there is room', async ({ skip }) => {
    const { current } = sandbox;
    mkdirSync(current.state);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', current.state]).status !== 0)
      skip('nothing can be mounted here');
    try {
      const guarded = new Guarded(current);
      await guarded.call(0);
      expect(() => writeFileSync(join(current.state, 'ballast'), Buffer.alloc(4 * 1024 * 1024))).toThrow('ENOSPC');
      const sent: unknown[] = [0];
      let denied = 0;
      for (let id = 1; id <= 200 && denied < 10; id++) {
        sent.push(id, `p${id}`);
        guarded.send(call(id, { text: 'x'.repeat(5000) }), ping(`p${id}`));
        if (isUnrecorded(await guarded.answerTo(id))) denied++;
        await guarded.answerTo(`p${id}`);
      }
      expect(denied).toBe(10);
      rmSync(join(current.state, 'ballast'));
      sent.push('after');
      expect(isUnrecorded(await guarded.call('after'))).toBe(false);
      await guarded.process.close();
      expect(guarded.said()).toEqual([expect.stringMatching(/cannot grow: the disk is full/)]);
      expect(guarded.reached()).toContain('after');
      expect(new Set(guarded.answers().map(({ id }) => id))).toEqual(new Set(sent));
      expectNothingLost(
        guarded,
        guarded.answers().map(({ id }) => id),
      );
    } finally {
      spawnSync('umount', ['-l', current.state]);
    }
  });
});

/** A server that whoever runs it may start: it writes nothing down. */
function unprivileged(): string[] {
  const code = `
    import { createInterface } from 'node:readline';
    for await (const line of createInterface({ input: process.stdin }))
      console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: {} }));`;
  return [process.execPath, sandbox.current.write('plain.mjs', code)];
}
