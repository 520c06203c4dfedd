import { afterEach, beforeEach, expect, it } from 'vitest';
import { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}\n';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

function command(server: string): [string, ...string[]] {
  const policy = sandbox.write('policy.toml', '[defaults]\naction = "allow"\n');
  const line = [process.execPath, support('recording-server.mjs'), sandbox.path(server)];
  return sandbox.command('proxy', '--server', server, '--policy', policy, '--', ...line);
}

async function callThrough(run: [string, ...string[]], env = sandbox.env): Promise<string> {
  const clawai = new Running(run, { env, cwd: sandbox.folder });
  clawai.send(CALL);
  await clawai.lines(1);
  return (await clawai.close()).stderr;
}

it.skipIf(process.platform === 'win32')('the servers of one client are of one session, also behind a shell', async () => {
  const shell = command('b').map((word) => `'${word}'`);
  await Promise.all([callThrough(command('a')), callThrough(['sh', '-c', `${shell.join(' ')}; true`])]);
  const events = sandbox.events();
  expect(new Set(events.map((event) => event['server_id']))).toEqual(new Set(['a', 'b']));
  expect(new Set(events.map((event) => event['session_id']))).toEqual(new Set([expect.stringMatching(/^s-[0-9a-f]{16}$/)]));
});

it('CLAWAI_SESSION names it, and a name that is none is said to be ignored', async () => {
  expect(await callThrough(command('a'), { ...sandbox.env, CLAWAI_SESSION: 'run-7' })).toBe('');
  expect(await callThrough(command('b'), { ...sandbox.env, CLAWAI_SESSION: 'run 8' })).toMatch(
    /^clawai: CLAWAI_SESSION is ignored/,
  );
  const sessions = sandbox.decided().map((event) => event['session_id']);
  expect(sessions).toEqual(['run-7', expect.stringMatching(/^s-[0-9a-f]{16}$/)]);
});
