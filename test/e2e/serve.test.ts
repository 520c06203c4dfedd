// clawai serve from its start to its end.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addWrapped, removeWrapped } from '../../src/remote/remote-state.ts';
import { freePort } from '../support/http-server.ts';
import { callOf, post, said } from '../support/post.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';
import { Sandbox } from '../support/sandbox.ts';
import { answerOk, ScriptedServer } from '../support/scripted-server.ts';
import { Serving, type ServingOptions } from '../support/serving.ts';
import { until } from '../support/until.ts';

let sandbox: Sandbox;
let server: ScriptedServer;
let serving: Serving | undefined;
beforeEach(async () => {
  sandbox = new Sandbox();
  server = await ScriptedServer.start();
});
afterEach(async () => {
  await serving?.stop();
  serving = undefined;
  await server.stop();
  sandbox.remove();
});

async function start(options: ServingOptions = {}): Promise<Serving> {
  serving = await Serving.start(sandbox, { servers: { s: server.url }, ...options });
  return serving;
}

function stateFile(name: string): string {
  return join(sandbox.state, 'clawai', name);
}

describe('the start', () => {
  it('is told in one line of JSON and in the state, for nobody else to read', async () => {
    const { process, origin } = await start();
    expect(process.stdout.toString().trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(process.stdout.toString())).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      servers: [{ name: 's', url: expect.stringMatching(new RegExp(`^${origin}/mcp/s/[A-Za-z0-9_-]{22}$`)) }],
    });
    const record = JSON.parse(readFileSync(stateFile('serve.json'), 'utf8')) as Record<string, unknown>;
    expect(record).toMatchObject({ pid: process.pid, url: origin });
    expect(statSync(stateFile('serve.json')).mode & 0o777).toBe(0o600);
    expect(statSync(stateFile('remote-servers.json')).mode & 0o777).toBe(0o600);
    const health = await fetch(`${origin}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok', id: record['id'], version: record['version'] }]);
    const status = await sandbox.clawai('status', '--json').close();
    expect(status.stdout).toContain(origin);
  });

  it('keeps the URLs that it had the last time', async () => {
    const before = new URL((await start()).url('s')).pathname;
    await serving?.stop();
    expect(new URL((await start()).url('s')).pathname).toBe(before);
  });

  it.each([
    ['a port that is taken', (port: number) => ['--listen', `127.0.0.1:${port}`], /another program listens there/],
    ['no address', () => ['--listen', 'nowhere'], /is no address/],
    ['other machines without TLS', () => ['--listen', '0.0.0.0:0'], /needs TLS and a token/],
    ['a config that says nonsense', () => ['--config', 'CONFIG'], /config\.toml:1:1/],
    ['a policy that says nonsense', () => ['--policy', 'POLICY'], /bad\.toml:1:1/],
    ['an unknown flag', () => ['--port', '1'], /--port/],
  ])('with %s fails at once and says why', async (_what, flags, says) => {
    const port = Number(new URL(server.url).port);
    const files: Record<string, string> = {
      CONFIG: sandbox.write('bad-config.toml', 'lisen = "127.0.0.1:1"\n'),
      POLICY: sandbox.write('bad.toml', 'nonsense = 1\n'),
    };
    const words = flags(port).map((word) => files[word] ?? word);
    const { code, stderr, stdout } = await sandbox.clawai('serve', ...words).close();
    expect(code).toBe(2);
    expect(stderr).toMatch(says);
    expect(stdout).toBe('');
    expect(existsSync(stateFile('serve.json'))).toBe(false);
  });
});

describe('the end', () => {
  it('lets a request that is on its way finish', async () => {
    const running = await start();
    server.script = (request, response) => void pause(700).then(() => answerOk(request, response));
    const slow = post(running.url('s'), callOf(1, { text: 'in time' }));
    await until('it has reached the server', () => server.seen.length === 1);
    const stopping = running.stop();
    await pause(100);
    await expect(fetch(`${running.origin}/healthz`)).rejects.toThrow('fetch failed');
    expect(said(await slow)).toBe('in time');
    expect(await stopping).toMatchObject({ code: 0, signal: null });
    expect(existsSync(stateFile('serve.json'))).toBe(false);
    expect(sandbox.decided()).toHaveLength(1);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('comes by %s also where streams are open', async (signal) => {
    const running = await start();
    server.script = (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const stream = await fetch(running.url('s'), { headers: { accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    const read = stream.text().catch(() => 'cut');
    running.process.kill(signal);
    expect(await running.process.ended).toMatchObject({ code: 0, signal: null });
    await read;
  });
});

describe('what else it answers', () => {
  it('metrics for those who have their token', async () => {
    const running = await start();
    await post(running.url('s'), callOf(1));
    const metrics = `${running.origin}/metrics`;
    expect((await fetch(metrics)).status).toBe(403);
    expect((await fetch(metrics, { headers: { authorization: `Bearer ${'x'.repeat(32)}` } })).status).toBe(403);
    expect((await running.metrics()).get('clawai_requests_total{server="s"}')).toBeGreaterThanOrEqual(1);
    expect(statSync(stateFile('metrics-token')).mode & 0o777).toBe(0o600);
  });

  it('nothing, to who does not know the secret of a server', async () => {
    const running = await start({ servers: { s: server.url, other: server.url } });
    const own = new URL(running.url('s')).pathname;
    const others = new URL(running.url('other')).pathname;
    const secret = others.split('/').at(-1) ?? '';
    const paths = [`/mcp/s/${secret}`, '/mcp/s/', '/mcp/s', '/mcp', `${own}/more`, own.slice(0, -1), own.toLowerCase(), '/'];
    for (const path of paths) expect([path, (await post(running.origin + path, callOf(1))).status]).toEqual([path, 404]);
    for (const path of [`/x/..${own}`, `/${own}`]) {
      const answer = await sendPath(running.origin, path);
      expect([path, answer]).toEqual([path, 400]);
    }
    expect(server.seen).toEqual([]);
  });
});

/** `fetch` would tidy the path. */
async function sendPath(origin: string, path: string): Promise<number> {
  const [status = 0] = statusesIn(
    await exchange(origin, head(`GET ${path} HTTP/1.1`, `host: ${new URL(origin).host}`, 'connection: close')),
  );
  return status;
}

describe('while it runs', () => {
  it('a server that comes up later is listed then', { tags: 'long' }, async () => {
    const port = await freePort();
    const running = await start({ servers: { late: `http://127.0.0.1:${port}/mcp` } });
    await until('it is told', () => running.said().some((line) => line.includes('late: could not be listed')));
    const answer = await post(running.url('late'), callOf(1));
    expect(answer.status).toBe(502);
    expect(answer.message).toMatchObject({ id: 1, error: {} });
    const late = await ScriptedServer.start({ port });
    await until('it is listed', () =>
      sandbox.events().some(({ type, tool_name: tool }) => type === 'mcp_tool_seen' && tool === 't'),
    );
    await until('it is told', () => running.said().some((line) => line.includes('late: reached and listed')));
    await late.stop();
  });

  it('the policy may change', async () => {
    const running = await start();
    expect(said(await post(running.url('s'), callOf(1)))).toBe('ok');
    running.decree('[[rule]]\nid = "nothing"\naction = "deny"\ntool = "**"\n');
    await until('it counts', async () => said(await post(running.url('s'), callOf(2))).includes('(rule "nothing")'));
    const reached = server.seen.length;
    // One that can't be read keeps the last good one.
    running.decree('nonsense');
    await until('it is told', () => running.said().some((line) => line.includes('policy.toml')));
    expect(said(await post(running.url('s'), callOf(3)))).toContain('(rule "nothing")');
    expect(server.seen.length).toBe(reached);
  });

  it('servers of clients come and go', async () => {
    const running = await start();
    const entry = {
      name: 'new',
      url: server.url,
      secret: 'S'.repeat(22),
      group: 'client:cursor',
      file: '/nowhere',
      pointer: '/a',
    };
    const url = `${running.origin}/mcp/new/${entry.secret}`;
    expect((await post(url, callOf(1))).status).toBe(404);
    addWrapped(join(sandbox.state, 'clawai'), [entry]);
    expect(said(await post(url, callOf(2)))).toBe('ok');
    removeWrapped(join(sandbox.state, 'clawai'), [entry]);
    await until('it is gone', async () => (await post(url, callOf(3))).status === 404);
    // Those that are there stay.
    expect(said(await post(running.url('s'), callOf(4)))).toBe('ok');
    writeFileSync(stateFile('remote-servers.json'), '{');
    await until('it is told', async () => {
      await post(url, callOf(5));
      return running.said().some((line) => line.includes('is not known'));
    });
    expect(said(await post(running.url('s'), callOf(6)))).toBe('ok');
  });

  it('with --observe, what is denied passes and is on record', async () => {
    const policy = '[[rule]]\nid = "nothing"\naction = "deny"\ntool = "**"\n';
    const running = await start({ policy, flags: ['--observe'] });
    expect(said(await post(running.url('s'), callOf(1)))).toBe('ok');
    expect(sandbox.decided().map((event) => [event['decision'], event['rule']])).toEqual([['deny', 'nothing']]);
  });
});
