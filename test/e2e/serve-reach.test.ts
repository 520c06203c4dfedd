// A clawai serve that other machines can reach.
import { request } from 'node:https';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { Sandbox } from '../support/sandbox.ts';
import { ScriptedServer } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { ISSUED } from '../support/tls-fixtures.ts';

const TOKEN = 'a-token-of-some-length';

let sandbox: Sandbox;
let server: ScriptedServer | undefined;
let serving: Serving | undefined;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(async () => {
  await serving?.stop();
  await server?.stop();
  sandbox.remove();
});

it('has TLS, wants the token, is found by its user and lists its servers', async () => {
  server = await ScriptedServer.start();
  const files = {
    cert: sandbox.write('cert.pem', ISSUED.cert.toString()),
    key: sandbox.write('key.pem', ISSUED.key.toString()),
    token: sandbox.write('token', `${TOKEN}\n`),
  };
  const config = `[serve]\ntls_cert = "${files.cert}"\ntls_key = "${files.key}"\ntoken_file = "${files.token}"\n`;
  serving = await Serving.start(sandbox, { servers: { s: server.url }, config, listen: '0.0.0.0:0' });
  expect(serving.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await statusOf(`${serving.origin}/healthz`, {})).toBe(403);
  expect(await statusOf(`${serving.origin}/healthz`, { 'x-clawai-token': 'another-token-of-some-length' })).toBe(403);
  expect(await statusOf(`${serving.origin}/healthz`, { 'x-clawai-token': TOKEN })).toBe(200);
  const env = { ...sandbox.env, CLAWAI_CONFIG: sandbox.path('config.toml') };
  let listed = '';
  for (let tries = 0; tries < 20 && !listed.includes('tool'); tries++) {
    listed = (await runCli(['mcp', 'registry', 'list'], { env })).stdout;
  }
  expect(listed).toMatch(/^s +t +[0-9a-f]{8} +pinned/m);
  const status = await runCli(['status', '--json'], { env });
  expect(JSON.parse(status.stdout)).toMatchObject({ serve: { running: true, url: serving.origin } });
});

it('does not begin without them', async () => {
  const config = sandbox.write('config.toml', '');
  const ended = await runCli(['serve', '--listen', '0.0.0.0:0', '--config', config], { env: sandbox.env });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('can be reached by other machines, so it needs TLS and a token');
});

function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}
