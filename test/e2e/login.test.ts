// clawai login, and what clawai serve does with its tokens, against a real authorization server.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logInAt, OAuthWorld, type OAuthWorldOptions } from '../support/oauth-world.ts';
import type { Ended, Running } from '../support/running.ts';
import { callOf, post, type Posted, said } from '../support/post.ts';
import { Sandbox } from '../support/sandbox.ts';
import { Serving, type ServingOptions } from '../support/serving.ts';
import { until } from '../support/until.ts';

let sandbox: Sandbox;
let world: OAuthWorld;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(async () => {
  await world.stop();
  sandbox.remove();
});

async function begin(options: OAuthWorldOptions = {}): Promise<void> {
  world = await OAuthWorld.start(options);
  sandbox.write('config.toml', configFor(world));
}

function configFor({ url }: OAuthWorld): string {
  return `[login]\nkeychain = false\n[[servers]]\nid = "guarded"\nurl = "${url}"\nauth = "managed"\n`;
}

function clawai(...words: readonly string[]): Running {
  return sandbox.clawai(...words, '--config', sandbox.path('config.toml'));
}

async function pageOf(running: Running): Promise<string> {
  await running.until(() => /^http\S+$/m.test(running.stdout.toString()));
  return /^http\S+$/m.exec(running.stdout.toString())?.[0] ?? '';
}

/** Logs in with a browser on the same machine. */
async function logIn(...flags: readonly string[]): Promise<Ended> {
  const running = clawai('login', 'guarded', '--no-browser', ...flags);
  await (await fetch(await logInAt(await pageOf(running)))).text();
  return running.ended;
}

const file = (): string => join(sandbox.state, 'clawai', 'logins.json');

describe('clawai login', () => {
  it('logs in by a browser on this machine, and keeps the tokens where only their user can read them', async () => {
    await begin();
    const { code, stdout, stderr } = await logIn();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('Logged in to guarded.');
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const { logins } = JSON.parse(readFileSync(file(), 'utf8')) as { logins: Record<string, unknown>[] };
    expect(logins).toMatchObject([{ url: world.url, issuer: world.issuer, resource: world.url, scope: 'mcp:read' }]);
    const list = await clawai('login', '--list', '--json').close();
    expect(list.stdout).toContain('"logged_in": true');
    const { accessToken, refreshToken } = (logins[0]?.['secrets'] ?? {}) as Record<string, string>;
    for (const text of [stdout, stderr, list.stdout]) {
      expect(text).not.toContain(accessToken);
      expect(text).not.toContain(refreshToken);
    }
  });

  it('takes the address that a browser elsewhere ended at', async () => {
    await begin();
    const running = clawai('login', 'guarded', '--no-browser');
    const end = await logInAt(await pageOf(running));
    running.send(`http://127.0.0.1:1/callback?code=x&state=y\n${end}\n`);
    expect((await running.ended).code).toBe(0);
    expect(running.stderr).toContain('that is no answer to this login');
  });

  it('forgets the tokens and has them revoked', async () => {
    await begin();
    await logIn();
    const { code, stdout } = await clawai('logout', 'guarded').close();
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Logged out of guarded.\n' });
    expect(world.asked.filter(({ path }) => path === '/token/revocation')).toHaveLength(2);
    expect(readFileSync(file(), 'utf8')).not.toContain('accessToken');
    expect(existsSync(file())).toBe(true);
  });
});

describe('clawai serve with a managed login', () => {
  let serving: Serving | undefined;
  afterEach(async () => {
    await serving?.stop();
    serving = undefined;
  });

  async function serve(options: OAuthWorldOptions = {}): Promise<Serving> {
    await begin(options);
    serving = await Serving.start(sandbox, served());
    return serving;
  }

  const served = (): ServingOptions => ({
    config: '[login]\nkeychain = false\n',
    servers: { guarded: world.url },
    settings: { guarded: 'auth = "managed"' },
  });

  const call = (running: Serving, headers: Record<string, string> = {}): Promise<Posted> =>
    post(running.url('guarded'), callOf(1, {}, 'read_file'), headers);

  /** Calls the tool this often at the same time. @returns how many calls were answered by the server */
  const callOften = async (count: number, ...running: readonly Serving[]): Promise<number> => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_none, at) => call(running[at % running.length] as Serving)),
    );
    return answers.filter((answer) => said(answer) === 'did read_file').length;
  };

  /** The tokens that the MCP server got. */
  const tokensSent = (): (string | undefined)[] => world.arrived.map(({ headers }) => headers.authorization);

  /** The token that the MCP server got last. */
  const lastToken = (): string => /Bearer (.+)/.exec(tokensSent().at(-1) ?? '')?.[1] ?? '';

  it('answers with what to do before a login, and works after it, also for its own listing', async () => {
    const running = await serve();
    const before = await call(running, { authorization: 'Bearer of-the-client' });
    expect(before.status).toBe(200);
    expect(said(before)).toMatch(/^guarded wants a login: run `clawai login guarded`/);
    expect((await fetch(running.url('guarded'), { headers: { accept: 'text/event-stream' } })).status).toBe(405);
    expect(running.said()).toContain('clawai: guarded: wants a login: run clawai login guarded');
    expect(world.arrived).toEqual([]);
    expect((await logIn()).code).toBe(0);
    world.arrived.length = 0;
    expect(said(await call(running, { authorization: 'Bearer of-the-client' }))).toBe('did read_file');
    await until('the listing', () => world.arrived.some(({ body }) => body.includes('tools/list')));
    expect(tokensSent()).not.toContain('Bearer of-the-client');
    expect(tokensSent()).not.toContain(undefined);
    expect((await clawai('logout', 'guarded').close()).code).toBe(0);
    expect(said(await call(running))).toMatch(/clawai login guarded/);
  });

  it('renews a token once, for 100 calls at the same time that the server refuses, of two processes', async () => {
    const running = await serve();
    await logIn();
    const other = await Serving.start(sandbox, served());
    try {
      expect(await callOften(2, running, other)).toBe(2);
      await world.spoil(lastToken());
      expect(await callOften(100, running, other)).toBe(100);
    } finally {
      await other.stop();
    }
    expect(world.grants('refresh_token')).toBe(1);
    expect(world.asked.at(-1)?.form.get('resource')).toBe(world.url);
  });

  it('renews a token before its end, so that the server never has to refuse one', async () => {
    const running = await serve({ lifetime: 4 });
    await logIn();
    world.refused = 0;
    for (let calls = 0; calls < 12; calls++) {
      expect(await callOften(3, running)).toBe(3);
      await pause(500);
    }
    expect(world.refused).toBe(0);
    expect(world.grants('refresh_token')).toBeGreaterThanOrEqual(1);
    expect(world.grants('refresh_token')).toBeLessThanOrEqual(3);
  });

  it('drops tokens that the authorization server no longer accepts, and says what to do', async () => {
    const running = await serve();
    await logIn();
    expect(await callOften(1, running)).toBe(1);
    world.instead = (path, response) => {
      if (path !== '/token') return false;
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
      return true;
    };
    await world.spoil(lastToken());
    const answer = await call(running);
    expect({ status: answer.status, text: said(answer) }).toEqual({
      status: 200,
      text: expect.stringMatching(/run `clawai login guarded`.*no longer accepts it \(invalid_grant\)/),
    });
    expect(running.said().join('\n')).toMatch(/guarded: wants a login: .*invalid_grant/);
    expect(readFileSync(file(), 'utf8')).not.toContain('accessToken');
    world.instead = () => false;
    await logIn();
    expect(await callOften(1, running)).toBe(1);
  });

  it('keeps the tokens while the authorization server is down', async () => {
    const running = await serve();
    await logIn();
    expect(await callOften(1, running)).toBe(1);
    world.instead = (path, response) => {
      if (path === '/token') response.writeHead(503).end();
      return path === '/token';
    };
    await world.spoil(lastToken());
    const answer = await call(running);
    expect(said(answer)).toMatch(/^the login to guarded could not be renewed/);
    expect(readFileSync(file(), 'utf8')).toContain('refreshToken');
  });

  it('asks for the scopes that the server missed at the next login', async () => {
    const running = await serve();
    await logIn();
    world.needs = 'mcp:read mcp:write';
    const answer = await call(running);
    expect({ status: answer.status, text: said(answer) }).toEqual({
      status: 200,
      text: 'guarded needs a login with more rights (mcp:read mcp:write): run `clawai login guarded` in a terminal',
    });
    const { stderr } = await logIn();
    expect(stderr).toContain('these scopes: mcp:read mcp:write');
    expect(await callOften(1, running)).toBe(1);
  });
});
