import { afterEach, beforeEach, expect, it } from 'vitest';
import { Sandbox, support } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

it('--observe decides and records everything and denies nothing', async () => {
  const policy = sandbox.write('policy.toml', '[[rule]]\nid = "none"\naction = "deny"\ntool = "**"\n');
  const server = [process.execPath, support('recording-server.mjs'), sandbox.path('seen')];
  const clawai = sandbox.clawai('proxy', '--observe', '--server', 's', '--policy', policy, '--', ...server);
  const sent = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}\nprose\n';
  clawai.send(sent);
  await clawai.lines(1);
  const { stdout, stderr } = await clawai.close();
  expect(sandbox.read('seen').toString()).toBe(sent);
  expect(stdout).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  expect(stderr).toContain('clawai: only observing');
  expect(sandbox.decided()).toMatchObject([
    { action: 'allow', decision: 'deny', rule: 'none', mode: 'observe' },
    { action: 'allow', type: 'mcp_message_refused', mode: 'observe' },
  ]);
});
