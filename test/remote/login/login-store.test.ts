import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Keychain } from '../../../src/remote/login/keychain.ts';
import { LoginStore } from '../../../src/remote/login/login-store.ts';
import { newLogin, SECRETS, URL_OF_SERVER } from '../../support/logins.ts';

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'clawai-logins-'));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const text = (): string => readFileSync(join(stateDir, 'logins.json'), 'utf8');

function storeWith(keychain?: Keychain): LoginStore {
  return new LoginStore({ stateDir, openKeychain: async () => keychain });
}

class MemoryKeychain implements Keychain {
  readonly entries = new Map<string, string>();
  isLocked = false;

  async read(account: string): Promise<string | undefined> {
    if (this.isLocked) throw new Error('locked');
    return this.entries.get(account);
  }

  async write(account: string, value: string): Promise<void> {
    if (this.isLocked) throw new Error('locked');
    this.entries.set(account, value);
  }

  async remove(account: string): Promise<void> {
    if (this.isLocked) throw new Error('locked');
    this.entries.delete(account);
  }
}

describe('logins in a file', () => {
  it('are for their user alone, and other processes see them at once', async () => {
    const [one, other] = [storeWith(), storeWith()];
    expect(other.find(URL_OF_SERVER)).toBeUndefined();
    const saved = await one.save(newLogin(), SECRETS);
    expect(statSync(join(stateDir, 'logins.json')).mode & 0o777).toBe(0o600);
    expect(other.find(URL_OF_SERVER)).toEqual(saved);
    expect(await other.secretsOf(saved)).toEqual(SECRETS);
    expect(other.find(`${URL_OF_SERVER}/`)).toBeUndefined();
  });

  it('take renewed tokens only in place of those that they renew', async () => {
    const store = storeWith();
    const first = await store.save(newLogin(), SECRETS);
    const second = await store.save(newLogin(), { accessToken: 'of a new login' });
    expect(await store.renew(first, {}, { accessToken: 'late' })).toBeUndefined();
    expect(await store.secretsOf(second)).toEqual({ accessToken: 'of a new login' });
    await store.forget(URL_OF_SERVER);
    expect(await store.renew(second, {}, { accessToken: 'late' })).toBeUndefined();
    expect(store.list()).toEqual([]);
  });

  it('give the tokens of the very login that was found, and none of a later one', async () => {
    const store = storeWith();
    const before = await store.save(newLogin(), SECRETS);
    const after = await store.save(newLogin(), { accessToken: 'new' });
    expect(await store.secretsOf(before)).toBeUndefined();
    expect(await store.secretsOf(after)).toEqual({ accessToken: 'new' });
    await store.drop(before, 'too late');
    expect(store.find(URL_OF_SERVER)?.problem).toBeUndefined();
    await store.drop(after, 'over');
    expect(store.find(URL_OF_SERVER)).toMatchObject({ problem: 'over', clientId: 'client' });
    expect(text()).not.toContain('new"');
    await store.forget(URL_OF_SERVER);
    expect(store.list()).toEqual([]);
  });

  it.each(['', '{', '[]', '{"format":2,"logins":[]}', '{"format":1,"logins":[{"url":"x"}]}'])(
    'are not overwritten if the file is damaged: %s',
    async (damaged) => {
      writeFileSync(join(stateDir, 'logins.json'), damaged);
      const store = storeWith();
      expect(() => store.list()).toThrow('is damaged');
      await expect(store.save(newLogin(), SECRETS)).rejects.toThrow('is damaged');
      expect(text()).toBe(damaged);
    },
  );
});

describe('logins with a keychain', () => {
  it('have their tokens there, and nowhere else', async () => {
    const keychain = new MemoryKeychain();
    const store = storeWith(keychain);
    const saved = await store.save(newLogin(), SECRETS);
    expect(saved.place).toBe('keychain');
    expect(text()).not.toContain('access-token');
    expect(await store.secretsOf(saved)).toEqual(SECRETS);
    await store.save(newLogin(), { accessToken: 'second' });
    expect([...keychain.entries.values()]).toEqual(['{"accessToken":"second"}']);
    await store.forget(URL_OF_SERVER);
    expect(keychain.entries.size).toBe(0);
  });

  it('have them in the file if the keychain fails, as without a desktop', async () => {
    const keychain = new MemoryKeychain();
    keychain.isLocked = true;
    const store = storeWith(keychain);
    const saved = await store.save(newLogin(), SECRETS);
    expect(saved.place).toBe('file');
    expect(await store.secretsOf(saved)).toEqual(SECRETS);
  });

  it('are not usable while it is locked, which is said', async () => {
    const keychain = new MemoryKeychain();
    const store = storeWith(keychain);
    const saved = await store.save(newLogin(), SECRETS);
    keychain.isLocked = true;
    await expect(store.secretsOf(saved)).rejects.toThrow('locked');
    expect(await storeWith().secretsOf(saved)).toBeUndefined();
  });
});
