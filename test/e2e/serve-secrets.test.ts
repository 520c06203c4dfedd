// What clawai serve must not tell, and to whom it must not speak.
import { globSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callOf, post, said } from '../support/post.ts';
import { Sandbox } from '../support/sandbox.ts';
import { ScriptedServer } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { ISSUED, SELF_SIGNED } from '../support/tls-fixtures.ts';
import { until } from '../support/until.ts';

let sandbox: Sandbox;
let server: ScriptedServer | undefined;
let serving: Serving | undefined;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(async () => {
  await serving?.stop();
  await server?.stop();
  serving = undefined;
  server = undefined;
  sandbox.remove();
});

describe('a server that is pinned to its key', () => {
  it('is asked where the key is the one', async () => {
    server = await ScriptedServer.start({ tls: SELF_SIGNED });
    const settings = { s: `tls_fingerprint = "${SELF_SIGNED.fingerprint}"` };
    serving = await Serving.start(sandbox, { servers: { s: server.url }, settings });
    expect(said(await post(serving.url('s'), callOf(1, { text: 'pinned' })))).toBe('pinned');
  });

  it('is not where it is another, and both are on record', async () => {
    server = await ScriptedServer.start({ tls: SELF_SIGNED });
    const settings = { s: `tls_fingerprint = "${ISSUED.fingerprint}"` };
    serving = await Serving.start(sandbox, { servers: { s: server.url }, settings });
    const answer = await post(serving.url('s'), callOf(1), { authorization: 'Bearer of-the-user' });
    expect(answer.status).toBe(502);
    expect(answer.message).toMatchObject({ id: 1, error: {} });
    expect(said(answer)).toContain(SELF_SIGNED.fingerprint);
    expect(server.seen).toEqual([]);
    const isTold = (): boolean => sandbox.events().some(({ type }) => type === 'mcp_network_connection');
    await until('it is on record', isTold);
    const { stdout } = await sandbox.clawai('mcp', 'events', '--json', '--type', 'mcp_network_connection').close();
    expect(stdout).toContain(ISSUED.fingerprint);
    expect(stdout).toContain(SELF_SIGNED.fingerprint);
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ type: 'mcp_network_connection', server_id: 's' });
    expect(stdout + serving.process.stderr).not.toContain('of-the-user');
  });

  it('is not where nobody trusts its certificate and there is no pin', async () => {
    server = await ScriptedServer.start({ tls: SELF_SIGNED });
    serving = await Serving.start(sandbox, { servers: { s: server.url } });
    expect((await post(serving.url('s'), callOf(1))).status).toBe(502);
    expect(server.seen).toEqual([]);
  });
});

it('hazard 33: no token gets into the store, the events or the log', async () => {
  server = await ScriptedServer.start();
  const secrets = ['tokenOfTheUser77', 'tokenOfTheConfig88', 'tokenOfTheUrl99', 'cookieOfTheUser66', 'tokenOfTheQuery55'];
  const settings = { s: '[servers.headers]\nx-api-key = "tokenOfTheConfig88"' };
  const servers = { s: `${server.url}?key=tokenOfTheUrl99`, gone: 'http://127.0.0.1:9/mcp?key=tokenOfTheUrl99' };
  serving = await Serving.start(sandbox, { servers, settings, config: '[audit]\njsonl = true\n' });
  const headers = { authorization: 'Bearer tokenOfTheUser77', cookie: 'session=cookieOfTheUser66' };
  await post(`${serving.url('s')}?user=tokenOfTheQuery55`, callOf(1), headers);
  server.script = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
  await post(serving.url('s'), callOf(2), headers);
  server.script = (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/?t=tokenOfTheUrl99' }).end();
  await post(serving.url('s'), callOf(3), headers);
  server.script = (_, response) => response.socket?.destroy();
  await post(serving.url('s'), callOf(4), headers);
  expect((await post(serving.url('gone'), callOf(5), headers)).text).not.toContain('tokenOfTheUrl99');
  const ended = await serving.stop();
  // They did reach the server.
  expect(server.seen[0]).toMatchObject({
    url: '/mcp?key=tokenOfTheUrl99&user=tokenOfTheQuery55',
    headers: { ...headers, 'x-api-key': 'tokenOfTheConfig88' },
  });
  expect(sandbox.decided().length).toBeGreaterThanOrEqual(5);
  const files = globSync('**', { cwd: sandbox.state, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = new Map(files.map(({ parentPath, name }) => [name, readFileSync(`${parentPath}/${name}`, 'latin1')]));
  expect([...texts.keys()]).toEqual(expect.arrayContaining(['events.jsonl']));
  texts.set('stdout', ended.stdout).set('stderr', ended.stderr);
  for (const [name, text] of texts) {
    for (const secret of secrets) expect([name, secret, text.includes(secret)]).toEqual([name, secret, false]);
  }
});
