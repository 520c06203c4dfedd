// clawai login, and what clawai serve does with its tokens, against a real authorization server.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { callOften, callTool, LoginScene } from '../support/login-scene.ts';
import { logInAt, type OAuthWorldOptions } from '../support/oauth-world.ts';
import { said } from '../support/post.ts';
import { REMOTE_CLIENTS } from '../support/remote-clients.ts';
import { until } from '../support/until.ts';

let scene: LoginScene;
afterEach(() => scene.stop());

async function start(options: OAuthWorldOptions = {}): Promise<LoginScene> {
  scene = await LoginScene.start(options);
  return scene;
}

describe('clawai login', () => {
  it('logs in by a browser on this machine, and keeps the tokens where only their user can read them', async () => {
    const { world, file } = await start();
    const { code, stdout, stderr } = await scene.logIn();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('Logged in to guarded.');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { logins } = JSON.parse(readFileSync(file, 'utf8')) as { logins: Record<string, unknown>[] };
    expect(logins).toMatchObject([{ url: world.url, issuer: world.issuer, resource: world.url, scope: 'mcp:read' }]);
    const list = await scene.clawai('login', '--list', '--json').close();
    expect(JSON.parse(list.stdout)).toMatchObject({ logins: [{ server: 'guarded', logged_in: true, kept_in: 'file' }] });
    expect((await scene.clawai('login', '--list').close()).stdout).toMatch(/guarded +logged in/);
    const { accessToken, refreshToken } = (logins[0]?.['secrets'] ?? {}) as Record<string, string>;
    for (const text of [stdout, stderr, list.stdout]) {
      expect(text).not.toContain(accessToken);
      expect(text).not.toContain(refreshToken);
    }
  });

  it('opens the page by a program of the system, and takes a client that is registered already', async () => {
    const client = { client_id: 'mine', client_secret: 'a-secret-of-mine', redirect_uris: ['http://127.0.0.1/callback'] };
    await start({ clients: [{ ...client, application_type: 'native' }], noRegistration: true });
    const { sandbox, world } = scene;
    const refused = await scene.clawai('login', 'guarded').close();
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/does not support dynamic client registration.*--client-id/s),
    });
    sandbox.write('xdg-open', `#!/bin/sh\nprintf '%s\\n' "$#" "$1" >${sandbox.path('opened')}\n`, 0o755);
    sandbox.write('secret', 'a-secret-of-mine\n');
    const words = ['login', 'guarded', '--client-id', 'mine', '--client-secret-file', sandbox.path('secret')];
    const env = { ...sandbox.env, PATH: `${sandbox.folder}:${sandbox.env['PATH']}` };
    const running = sandbox.start([...words, '--config', sandbox.path('config.toml')], env);
    await until(
      'the browser',
      () => existsSync(sandbox.path('opened')) && sandbox.read('opened').toString().split('\n').length > 2,
    );
    const [count, page = ''] = sandbox.read('opened').toString().split('\n');
    expect(count).toBe('1');
    await (await fetch(await logInAt(page))).text();
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(world.asked.at(-1)?.form.get('client_secret')).toBeNull();
    expect((await scene.clawai('logout', 'guarded').close()).stderr).toBe('');
  });

  it('takes the address that a browser elsewhere ended at', async () => {
    await start();
    const { running, page } = await scene.begin();
    const end = await logInAt(page);
    running.send(`http://127.0.0.1:1/callback?code=x&state=y\n${end}\n`);
    expect((await running.ended).code).toBe(0);
    expect(running.stderr).toContain('that is no answer to this login');
  });

  it('stores nothing if the authorization server refuses', async () => {
    await start();
    const { running, page } = await scene.begin();
    const { searchParams } = new URL(page);
    const query = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state') ?? '',
      iss: scene.world.issuer,
    });
    await (await fetch(`${searchParams.get('redirect_uri')}?${query}`)).text();
    expect(await running.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('refused it: access_denied') });
    expect(existsSync(scene.file)).toBe(false);
  });

  it('refuses another authorization server than before, if nobody is there to be asked', async () => {
    await start();
    await scene.logIn();
    const other = await LoginScene.start();
    try {
      scene.world.metadata['authorization_servers'] = [other.world.issuer];
      const { code, stderr } = await scene.clawai('login', 'guarded', '--no-browser').close();
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('another authorization server than before') });
      expect(other.world.asked.filter(({ path }) => path === '/token')).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('forgets the tokens and has them revoked', async () => {
    const { world, file } = await start();
    await scene.logIn();
    const { code, stdout } = await scene.clawai('logout', 'guarded').close();
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Logged out of guarded.\n' });
    expect(world.asked.filter(({ path }) => path === '/token/revocation')).toHaveLength(2);
    expect(readFileSync(file, 'utf8')).not.toContain('accessToken');
  });

  it.each([
    ['an unknown server', ['login', 'other'], /no remote server named other/],
    ['no server', ['login'], /which server/],
    ['a port that is none', ['login', 'guarded', '--port', '99999'], /--port must be/],
    ['a secret without a client', ['login', 'guarded', '--client-secret-file', '/x'], /needs --client-id/],
  ])('with %s says what is wrong', async (_what, words, says) => {
    await start();
    expect(await scene.clawai(...words).close()).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
  });
});

describe('clawai serve with a managed login', () => {
  it('answers with what to do before a login, and works after it, also for its own listing', async () => {
    const { world } = await start();
    const serving = await scene.serve();
    const before = await callTool(serving, { authorization: 'Bearer of-the-client' });
    expect(before.status).toBe(200);
    expect(said(before)).toMatch(/^guarded wants a login: run `clawai login guarded`/);
    expect(
      (await fetch(serving.url('guarded'), { headers: { accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' } }))
        .status,
    ).toBe(405);
    expect(serving.said()).toContain('clawai: guarded: wants a login: run clawai login guarded');
    expect(world.arrived).toEqual([]);
    expect((await scene.logIn()).code).toBe(0);
    world.arrived.length = 0;
    expect(said(await callTool(serving, { authorization: 'Bearer of-the-client' }))).toBe('did read_file');
    await until('the listing', () => world.arrived.some(({ body }) => body.includes('tools/list')));
    expect(serving.said()).toContain('clawai: guarded: logged in');
    const sent = world.arrived.map(({ headers }) => headers.authorization);
    expect(sent).not.toContain('Bearer of-the-client');
    expect(sent).not.toContain(undefined);
    expect((await scene.clawai('logout', 'guarded').close()).code).toBe(0);
    expect(said(await callTool(serving))).toMatch(/clawai login guarded/);
  });

  it.each(['SDK 1', 'SDK 2, legacy era', 'SDK 2, whatever there is', 'SDK 1 by way of mcp-remote'] as const)(
    'serves %s, which sees no login',
    async (name) => {
      const connect = REMOTE_CLIENTS[name];
      await start();
      const serving = await scene.serve();
      await scene.logIn();
      const proxy = scene.sandbox.command('proxy', '--url', serving.url('guarded'));
      const session = await connect({ url: serving.url('guarded'), env: scene.sandbox.env, proxy });
      try {
        expect((await session.listTools()).tools).toMatchObject([{ name: 'read_file' }]);
        expect(await session.callTool('read_file', {})).toMatchObject({ content: [{ text: 'did read_file' }] });
      } finally {
        await session.close();
      }
    },
  );

  it(
    'renews a token once, for 100 calls at the same time that the server refuses, of two processes',
    { tags: 'long' },
    async () => {
      const { world } = await start();
      const both = [await scene.serve(), await scene.serve()];
      await scene.logIn();
      expect(await callOften(2, ...both)).toBe(2);
      await world.spoil(scene.lastToken());
      expect(await callOften(100, ...both)).toBe(100);
      expect(world.grants('refresh_token')).toBe(1);
      expect(world.asked.at(-1)?.form.get('resource')).toBe(world.url);
    },
  );

  it('renews a token before its end, so that the server never has to refuse one', { tags: 'long' }, async () => {
    const { world } = await start({ lifetime: 4 });
    const serving = await scene.serve();
    await scene.logIn();
    world.refused = 0;
    for (let calls = 0; calls < 12; calls++) {
      expect(await callOften(3, serving)).toBe(3);
      await pause(500);
    }
    expect(world.refused).toBe(0);
    expect(world.grants('refresh_token')).toBeGreaterThanOrEqual(1);
    expect(world.grants('refresh_token')).toBeLessThanOrEqual(3);
  });

  it('drops tokens that the authorization server no longer accepts, and says what to do', async () => {
    const { world, file } = await start();
    const serving = await scene.serve();
    await scene.logIn();
    expect(await callOften(1, serving)).toBe(1);
    world.instead = (path, response) => {
      if (path === '/token') response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
      return path === '/token';
    };
    await world.spoil(scene.lastToken());
    const answer = await callTool(serving);
    expect({ status: answer.status, text: said(answer) }).toEqual({
      status: 200,
      text: expect.stringMatching(/run `clawai login guarded`.*no longer accepts it \(invalid_grant\)/),
    });
    expect(serving.said().join('\n')).toMatch(/guarded: wants a login: .*invalid_grant/);
    expect(readFileSync(file, 'utf8')).not.toContain('accessToken');
    world.instead = () => false;
    await scene.logIn();
    expect(await callOften(1, serving)).toBe(1);
  });

  it('drops the tokens if the server names another authorization server', { tags: 'long' }, async () => {
    const { world } = await start();
    const serving = await scene.serve();
    await scene.logIn();
    expect(await callOften(1, serving)).toBe(1);
    world.metadata['authorization_servers'] = ['http://127.0.0.1:9/other'];
    await world.spoil(scene.lastToken());
    expect(said(await callTool(serving))).toMatch(/clawai login guarded.*now names another authorization server/);
    expect(world.grants('refresh_token')).toBe(0);
  });

  it('keeps the tokens while the authorization server is down', async () => {
    const { world, file } = await start();
    const serving = await scene.serve();
    await scene.logIn();
    expect(await callOften(1, serving)).toBe(1);
    world.instead = (path, response) => {
      if (path === '/token') response.writeHead(503).end();
      return path === '/token';
    };
    await world.spoil(scene.lastToken());
    expect(said(await callTool(serving))).toMatch(/^the login to guarded could not be renewed/);
    expect(readFileSync(file, 'utf8')).toContain('refreshToken');
  });

  it('asks for the scopes that the server missed at the next login', async () => {
    const { world } = await start();
    const serving = await scene.serve();
    await scene.logIn();
    world.needs = 'mcp:read mcp:write';
    const answer = await callTool(serving);
    expect({ status: answer.status, text: said(answer) }).toEqual({
      status: 200,
      text: 'guarded needs a login with more rights (mcp:read mcp:write): run `clawai login guarded` in a terminal',
    });
    const { stderr } = await scene.logIn();
    expect(stderr).toContain('these rights (scopes): mcp:read mcp:write');
    expect(await callOften(1, serving)).toBe(1);
  });
});
