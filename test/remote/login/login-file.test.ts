import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LoginStore } from '../../../src/remote/login/login-store.ts';
import { ManagedCredentials } from '../../../src/remote/login/managed-credentials.ts';
import { newLogin, SECRETS, URL_OF_SERVER } from '../../support/logins.ts';

let folder: string;
let stateDir: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-login-file-'));
  stateDir = join(folder, 'state');
  file = join(stateDir, 'logins.json');
  await createStore().save(newLogin(), SECRETS);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const createStore = (): LoginStore => new LoginStore({ stateDir, openKeychain: async () => undefined });

/** What a request is sent with, as a process finds it that has just begun. */
async function credential(): Promise<unknown> {
  const refresh = () => Promise.reject(new Error('not asked for'));
  return new ManagedCredentials({ name: 'docs', url: URL_OF_SERVER, store: createStore(), refresh, warn: () => {} }).current();
}

const MOVED = (): string => {
  const aside = join(folder, 'aside.json');
  renameSync(file, aside);
  return aside;
};

it.each<[string, () => unknown, RegExp]>([
  ['a link to it', () => symlinkSync(MOVED(), file), /is a link/],
  ['a link to nothing', () => (MOVED(), symlinkSync(join(folder, 'none'), file)), /is a link/],
  ['a folder', () => (MOVED(), mkdirSync(file)), /is not a file/],
  ['a pipe', () => (MOVED(), execFileSync('mkfifo', [file])), /is not a file/],
  ['a file that its group may write', () => chmodSync(file, 0o620), /can be written by others/],
  ['a file that everybody may write', () => chmodSync(file, 0o602), /can be written by others/],
])('%s is not used, which calls are told, and not replaced', async (_what, spoil, why) => {
  spoil();
  expect(await credential()).toEqual({ problem: expect.stringMatching(why) });
  expect(await credential()).toEqual({ problem: expect.stringContaining('remove it, and log in again with `clawai login`') });
  const { ino } = lstatSync(file);
  await expect(createStore().save(newLogin(), SECRETS)).rejects.toThrow(why);
  expect(lstatSync(file).ino).toBe(ino);
});

it.runIf(process.getuid?.() === 0)("another user's file is not used", async () => {
  chownSync(file, 65_534, 65_534);
  expect(await credential()).toEqual({ problem: expect.stringContaining('belongs to another user') });
});

it('a file that others may read is used, and they may no longer', async () => {
  chmodSync(file, 0o644);
  expect(await credential()).toEqual({ header: 'Bearer access-token' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('a folder may be a link: its user has moved it', async () => {
  const moved = join(folder, 'moved');
  renameSync(stateDir, moved);
  symlinkSync(moved, stateDir);
  expect(await credential()).toEqual({ header: 'Bearer access-token' });
  await createStore().save(newLogin(), { accessToken: 'new' });
  expect(await credential()).toEqual({ header: 'Bearer new' });
});

it('a half-written file is not used, wherever it ends, and not overwritten', async () => {
  const whole = readFileSync(file, 'utf8');
  for (let length = 0; length < whole.length - 1; length += 7) {
    writeFileSync(file, whole.slice(0, length));
    expect(await credential()).toEqual({ problem: expect.stringContaining('is damaged: it does not list logins') });
    await expect(createStore().save(newLogin(), SECRETS)).rejects.toThrow('is damaged');
    expect(readFileSync(file, 'utf8')).toBe(whole.slice(0, length));
  }
});
