import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkOneStore, checkStore } from '../../../src/cli/doctor/check-store.ts';
import { recordedCall, RecordedStore } from '../../support/recorded-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-doctor-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

it('a store counts its events', () => {
  const file = join(folder, 'clawai.db');
  const store = new RecordedStore(file);
  store.add(recordedCall());
  store.close();
  expect(checkStore(file)).toEqual([{ about: 'store', level: 'ok', text: `${file}: 1 event` }]);
});

it('none yet is fine where one can be made', () => {
  expect(checkStore(join(folder, 'a', 'b', 'clawai.db'))).toMatchObject([{ level: 'ok' }]);
});

it.skipIf(process.getuid?.() === 0)('a folder that may not be written is a failure', () => {
  chmodSync(folder, 0o500);
  expect(checkStore(join(folder, 'a', 'clawai.db'))).toMatchObject([{ level: 'fail', text: expect.stringContaining(folder) }]);
});

it('a file where the folder would have to be is a failure', () => {
  const file = join(folder, 'state');
  writeFileSync(file, '');
  expect(checkStore(join(file, 'a', 'clawai.db'))).toMatchObject([
    { level: 'fail', text: `${file} is no folder, so no store can be made below it, and every call would be denied` },
  ]);
});

it('a place in which nothing can be made is a failure, whatever its permissions say, and a trial leaves nothing behind', () => {
  const there = join(folder, 'clawai.db');
  expect(checkStore(there)).toMatchObject([{ level: 'ok' }]);
  expect(readdirSync(folder)).toEqual([]);
  const long = join(folder, 'a'.repeat(250), 'b'.repeat(300), 'clawai.db');
  expect(checkStore(long)).toMatchObject([{ level: 'fail' }]);
  expect(readdirSync(folder)).toEqual([]);
});

it.runIf(process.platform === 'linux')('so is a file system that takes no files', () => {
  expect(checkStore('/proc/nothing/here/clawai.db')).toMatchObject([
    { level: 'fail', text: expect.stringMatching(/^\/proc\/nothing\/here\/clawai\.db .*, so every call would be denied$/) },
  ]);
});

it("a store beside which something else stands in the place of SQLite's files is a failure", () => {
  const file = join(folder, 'clawai.db');
  new RecordedStore(file).close();
  mkdirSync(`${file}-journal`);
  expect(checkStore(file)).toMatchObject([{ level: 'fail' }]);
});

it.runIf(process.getuid?.() === 0)('a folder of another user is a warning', () => {
  chownSync(folder, 12_345, 12_345);
  expect(checkStore(join(folder, 'clawai.db'))).toMatchObject([{ level: 'ok' }, { level: 'warn' }]);
});

it('what is no store is a failure', () => {
  writeFileSync(join(folder, 'clawai.db'), 'x'.repeat(5000));
  mkdirSync(join(folder, 'folder.db'));
  expect(checkStore(join(folder, 'clawai.db'))).toMatchObject([{ level: 'fail' }]);
  expect(checkStore(join(folder, 'folder.db'))).toMatchObject([{ level: 'fail' }]);
});

it('two stores, one of them read and the other written, are a warning', () => {
  expect(checkOneStore('/a', '/a')).toEqual([]);
  expect(checkOneStore('/a', '/b')).toMatchObject([{ level: 'warn', text: expect.stringMatching(/record in \/b.*read \/a/) }]);
});
