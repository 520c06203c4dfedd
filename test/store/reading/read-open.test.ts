import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClawaiError } from '../../../src/errors.ts';
import { openStoreReader } from '../../../src/store/reading/read-open.ts';
import { recordedCall, RecordedStore } from '../../support/recorded-store.ts';
import { runCli } from '../../support/run-cli.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-open-'));
  file = join(folder, 'clawai.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function record(...edits: readonly string[]): void {
  const store = new RecordedStore(file);
  store.add(recordedCall());
  for (const sql of edits) store.edit(sql);
  store.close();
}

function failure(): { code: string; message: string; hint: string | undefined } {
  try {
    const reader = openStoreReader(file);
    if (reader !== undefined) for (const event of reader.events({})) void event;
  } catch (thrown) {
    if (thrown instanceof ClawaiError) return { code: thrown.code, message: thrown.message, hint: thrown.hint };
    throw thrown;
  }
  throw new Error('it should have failed');
}

describe('a store that is not there yet', () => {
  it('is none, and none is made', () => {
    expect(openStoreReader(file)).toBeUndefined();
    expect(openStoreReader(join(folder, 'no', 'such', 'folder', 'clawai.db'))).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is none where another process has made the file and not the tables', () => {
    writeFileSync(file, '');
    expect(openStoreReader(file)).toBeUndefined();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = WAL');
    database.close();
    expect(openStoreReader(file)).toBeUndefined();
  });
});

describe('what cannot be read is told', () => {
  it('a folder', () => {
    mkdirSync(file);
    expect(failure()).toMatchObject({ code: 'store_unreadable', message: `${file} is not a file` });
  });

  it('some other file', () => {
    writeFileSync(file, 'a diary, and a long one at that\n'.repeat(100));
    expect(failure()).toMatchObject({ code: 'store_foreign', hint: expect.any(String) });
  });

  it('the SQLite file of another program', () => {
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE diary (day TEXT)');
    database.close();
    expect(failure()).toMatchObject({ code: 'store_foreign', message: expect.stringContaining('another SQLite file') });
  });

  it('the store of a newer version', () => {
    record('PRAGMA user_version = 99');
    expect(failure()).toMatchObject({ code: 'store_newer', hint: expect.stringContaining('update clawai') });
  });

  it('a store that lost a table', () => {
    record('DROP TABLE events');
    expect(failure()).toMatchObject({ code: 'store_corrupt', message: expect.stringContaining('no such table: events') });
  });

  it('a store with damaged pages', () => {
    const store = new RecordedStore(file);
    store.edit('BEGIN');
    for (let i = 0; i < 500; i += 1) store.add(recordedCall());
    store.edit('COMMIT');
    store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096 * 5, 4096 * 40);
    writeFileSync(file, bytes);
    expect(failure()).toMatchObject({ code: 'store_corrupt', message: `${file} is damaged` });
  });

  it.runIf(process.getuid?.() === 0)('a store of somebody else', async () => {
    record();
    chmodSync(folder, 0o700);
    mkdirSync(join(folder, 'config'));
    const { code, stderr } = await runCli(['mcp', 'calls'], { uid: 65_534, env: { XDG_STATE_HOME: join(folder, 'state') } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('EACCES')]);
  });
});

describe('reading', () => {
  it('changes nothing in the file', () => {
    record();
    const digest = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');
    const before = digest();
    const reader = openStoreReader(file);
    expect([...(reader?.events({}) ?? [])]).toHaveLength(1);
    reader?.close();
    expect(digest()).toBe(before);
  });

  it('works while another process writes, and sees what it has committed', () => {
    const store = new RecordedStore(file);
    store.add(recordedCall());
    const reader = openStoreReader(file);
    store.edit('BEGIN IMMEDIATE');
    store.add(recordedCall());
    expect(reader?.lastSeq()).toBe(1);
    store.edit('COMMIT');
    expect(reader?.lastSeq()).toBe(2);
    reader?.close();
    store.close();
  });

  it.runIf(process.getuid?.() === 0)('works in a folder that may not be written, as a copy on a read-only disk', async () => {
    record();
    const state = join(folder, 'state', 'clawai');
    mkdirSync(state, { recursive: true });
    copyFileSync(file, join(state, 'clawai.db'));
    for (const [path, mode] of [
      [join(state, 'clawai.db'), 0o444],
      [state, 0o555],
      [join(folder, 'state'), 0o755],
      [folder, 0o755],
    ] as const) {
      chmodSync(path, mode);
    }
    const { code, stdout, stderr } = await runCli(['mcp', 'calls', '--json'], {
      uid: 65_534,
      env: { XDG_STATE_HOME: join(folder, 'state') },
    });
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', JSON.parse(JSON.stringify(recordedCall()))]);
    expect(readdirSync(state)).toEqual(['clawai.db']);
  });
});
