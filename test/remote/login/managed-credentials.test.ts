import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoginSecrets } from '../../../src/remote/login/login.ts';
import { LoginStore } from '../../../src/remote/login/login-store.ts';
import { ManagedCredentials, type Refreshed } from '../../../src/remote/login/managed-credentials.ts';
import { newLogin, SECRETS, URL_OF_SERVER } from '../../support/logins.ts';

const HOUR = 3_600_000;

let stateDir: string;
let store: LoginStore;
let now: number;
let used: LoginSecrets[];
let outcome: Refreshed;
let warnings: string[];
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'clawai-credentials-'));
  store = createStore();
  now = 0;
  used = [];
  warnings = [];
  outcome = renewed('second');
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

function createStore(): LoginStore {
  return new LoginStore({ stateDir, openKeychain: async () => undefined });
}

function renewed(accessToken: string, expires = now + HOUR, refreshToken = 'rotated'): Refreshed {
  return { kind: 'renewed', news: { scope: 'read', expires }, secrets: { accessToken, refreshToken } };
}

/** The credentials of one process. */
function credentials(): ManagedCredentials {
  return new ManagedCredentials({
    name: 'docs',
    url: URL_OF_SERVER,
    store: createStore(),
    refresh: async (_login, secrets) => {
      used.push(secrets);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return outcome;
    },
    warn: (line) => warnings.push(line),
    now: () => now,
  });
}

const FIRST = { header: 'Bearer access-token' };
const SECOND = { header: 'Bearer second' };

describe('the tokens of a managed login', () => {
  it('are used as they are until shortly before their end, and renewed once then', async () => {
    await store.save(newLogin({ expires: HOUR }), SECRETS);
    const one = credentials();
    expect(await one.current()).toEqual(FIRST);
    // From the second request on, nothing has to be awaited.
    expect(one.current()).toEqual(FIRST);
    now = HOUR - 91_000;
    expect(one.current()).toEqual(FIRST);
    now = HOUR - 59_000;
    outcome = renewed('second', now + HOUR);
    expect(await Promise.all(Array.from({ length: 10 }, () => one.current()))).toEqual(Array.from({ length: 10 }, () => SECOND));
    expect(used).toEqual([SECRETS]);
    expect(await store.secretsOf(store.find(URL_OF_SERVER) ?? raise())).toEqual({
      accessToken: 'second',
      refreshToken: 'rotated',
    });
  });

  it('are gone if somebody logs out while they are renewed, and those of a new login count', async () => {
    await store.save(newLogin(), SECRETS);
    const one = credentials();
    const late = one.renew(FIRST.header);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await store.forget(URL_OF_SERVER);
    expect(await late).toEqual({ problem: expect.stringContaining('nobody has logged in so far') });
    expect(store.list()).toEqual([]);
    await store.save(newLogin(), SECRETS);
    const other = one.renew(FIRST.header);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await store.save(newLogin(), { accessToken: 'third' });
    expect(await other).toEqual({ header: 'Bearer third' });
    expect(await one.current()).toEqual({ header: 'Bearer third' });
  });

  it('are renewed by one of several processes', async () => {
    await store.save(newLogin(), SECRETS);
    const all = [credentials(), credentials(), credentials()];
    const answers = await Promise.all(all.flatMap((one) => [one.renew(FIRST.header), one.renew(FIRST.header)]));
    expect(answers).toEqual(Array.from({ length: 6 }, () => SECOND));
    expect(used).toHaveLength(1);
    expect(await credentials().renew(FIRST.header)).toEqual(SECOND);
    expect(used).toHaveLength(1);
  });

  it.each([
    ['says nothing of its end', undefined],
    ['ends at a time that the clock of this machine has long passed', 1],
  ])('pitfall: a token that %s is renewed when the server refuses it, and lives until then', async (_what, expires) => {
    await store.save(newLogin({ expires, renewed: expires === undefined ? 0 : -HOUR }), { accessToken: 'access-token' });
    now = 100 * HOUR;
    const one = credentials();
    expect(await one.current()).toEqual(FIRST);
    expect(used).toEqual([]);
  });

  it("are not renewed again and again if the authorization server can't be reached, and are used to their end", async () => {
    await store.save(newLogin({ expires: HOUR }), SECRETS);
    const one = credentials();
    outcome = { kind: 'failed', why: 'it is down' };
    now = HOUR - 10_000;
    expect(await one.current()).toEqual(FIRST);
    expect(one.current()).toEqual(FIRST);
    expect(used).toHaveLength(1);
    now += 6000;
    expect(await one.current()).toEqual(FIRST);
    expect(used).toHaveLength(2);
    now = HOUR + 10_000;
    expect(await one.current()).toEqual({ problem: 'the login to docs could not be renewed: it is down' });
    expect(warnings).toEqual(['the login to docs could not be renewed: it is down']);
    now += 6000;
    outcome = renewed('second');
    expect(await one.current()).toEqual(SECOND);
  });

  it('are dropped if they are worth nothing, and a later login counts at once', async () => {
    await store.save(newLogin(), SECRETS);
    const one = credentials();
    outcome = { kind: 'refused', why: 'it was revoked' };
    const problem = { problem: 'docs wants a login: run `clawai login docs` in a terminal (it was revoked)' };
    expect(await one.renew(FIRST.header)).toEqual(problem);
    expect(await one.current()).toEqual(problem);
    expect(used).toHaveLength(1);
    await store.save(newLogin(), { accessToken: 'third' });
    expect(await one.current()).toEqual({ header: 'Bearer third' });
  });

  it('are missing before a login', () => {
    expect(credentials().current()).toEqual({
      problem: 'docs wants a login: run `clawai login docs` in a terminal (nobody has logged in so far)',
    });
  });
});

describe('a refusal with HTTP 403', () => {
  it('adds the scopes that it names to the next login, within a bound', async () => {
    await store.save(newLogin(), SECRETS);
    const one = credentials();
    expect(one.refused('Bearer error="insufficient_scope", scope="write read"')).toMatch(/more rights \(write read\)/);
    expect(createStore().find(URL_OF_SERVER)?.wanted).toBe('read write');
    one.refused(`Bearer error="insufficient_scope", scope="${Array.from({ length: 999 }, (_none, at) => `s${at}`).join(' ')}"`);
    expect(createStore().find(URL_OF_SERVER)?.wanted?.length).toBeLessThanOrEqual(1024);
  });

  it('for another reason changes nothing', async () => {
    await store.save(newLogin(), SECRETS);
    expect(credentials().refused('Bearer error="invalid_request", scope="write"')).toBe(
      'docs does not allow this to its user (HTTP 403)',
    );
    expect(createStore().find(URL_OF_SERVER)?.wanted).toBeUndefined();
  });
});

describe('known sessions', () => {
  it('are bounded, the oldest forgotten first', () => {
    const { sessions } = credentials();
    for (let id = 0; id <= 10_000; id++) sessions.add(String(id));
    expect([sessions.has('0'), sessions.has('1'), sessions.has('10000')]).toEqual([false, true, true]);
  });
});

function raise(): never {
  throw new Error('there is no login');
}
