import { afterEach, beforeEach, expect, it } from 'vitest';
import { Sandbox, support } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}\n';
const POLICY = '[defaults]\naction = "allow"\n[server_policy]\npolicy = "allowlist"\nallow = ["files"]\n';

function connect(server: string, program: readonly string[]): ReturnType<Sandbox['clawai']> {
  const policy = sandbox.write('policy.toml', POLICY);
  return sandbox.clawai('proxy', '--server', server, '--policy', policy, '--', process.execPath, ...program);
}

it.each([
  ['files', 'allow'],
  ['other', 'deny'],
])('a call to %s: %s', async (server, decision) => {
  const clawai = connect(server, [support('recording-server.mjs'), sandbox.path('seen')]);
  clawai.send(CALL);
  await clawai.lines(1);
  const { stdout } = await clawai.close();
  const isAllowed = decision === 'allow';
  expect(sandbox.read('seen').toString().includes('tools/call')).toBe(isAllowed);
  expect(stdout.includes('the policy does not allow the server')).toBe(!isAllowed);
  expect(sandbox.decided()).toMatchObject([{ decision, reason: isAllowed ? 'default' : 'server_policy' }]);
});

it.each([
  ['files', true],
  ['other', false],
])('what %s asks for itself reaches the client: %s', async (server, isAllowed) => {
  const asking = sandbox.write(
    'asks.mjs',
    `console.log('{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}');
     process.stdin.on('data', (data) => console.log('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":' + JSON.stringify(String(data)) + '}}'));`,
  );
  const clawai = connect(server, [asking]);
  if (isAllowed) {
    await clawai.lines(1);
    clawai.send('{"jsonrpc":"2.0","id":"q","result":{}}\n');
  }
  await clawai.lines(isAllowed ? 2 : 1);
  const { stdout } = await clawai.close();
  expect(stdout.includes('"method":"sampling/createMessage"')).toBe(isAllowed);
  expect(sandbox.decided()).toMatchObject([{ decision: isAllowed ? 'allow' : 'deny' }]);
  // The server gets an answer in any case.
  expect(stdout).toContain('notifications/message');
});

it("no server may be called as the policy calls an agent's own tools", async () => {
  const clawai = connect('native', [support('recording-server.mjs'), sandbox.path('seen')]);
  clawai.send(CALL);
  const { code, stdout, stderr } = await clawai.ended;
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('no server may be called "native"');
});
