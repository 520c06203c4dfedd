/** @module-tag long */
// Nobody is there to say yes: on every path the call is denied, and a webhook that hangs delays none of them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Guarded } from '../support/guarded.ts';
import { ModelMock } from '../support/model-mock.ts';
import { callOf, post, said } from '../support/post.ts';
import { Running } from '../support/running.ts';
import { ScriptedServer } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';

const sandbox = useSandbox();

const POLICY = `
[defaults]
action = "allow"
[approval]
timeout = "1s"
channels = ["terminal", "elicitation"]
[[rule]]
id = "ask"
action = "prompt"
server = ["native", "s", "local"]
tool = ["Bash", "t", "danger"]
`;

/** Answers nobody. */
const receiver = createServer(() => {});
let mock: ModelMock;
let server: ScriptedServer;
let serving: Serving;
beforeEach(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  server = await ScriptedServer.start();
  mock = await ModelMock.start([]);
  const { port } = receiver.address() as AddressInfo;
  const config = `[llm.providers.anthropic]\nbase_url = "${mock.origin}"\n[webhook.w]\nurl = "http://127.0.0.1:${port}/"\n`;
  serving = await Serving.start(sandbox.current, { servers: { s: server.url }, policy: POLICY, config });
});
afterEach(async () => {
  await serving.stop();
  await server.stop();
  await mock.stop();
  receiver.closeAllConnections();
  receiver.close();
});

const PATHS: Readonly<Record<string, () => Promise<string>>> = {
  stdio: async () => {
    const guarded = new Guarded(sandbox.current, { name: 'local', policy: POLICY });
    guarded.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'danger', arguments: {} } }));
    const answer = JSON.stringify(await guarded.answerTo(1));
    await guarded.process.close();
    return answer;
  },
  HTTP: async () => said(await post(serving.url('s'), callOf(1), {})),
  hook: async () => {
    const { current } = sandbox;
    const files = ['--policy', current.path('policy.toml'), '--config', current.path('config.toml')];
    const running = new Running(current.command('hook', 'claude-code', ...files), { env: current.env, cwd: current.folder });
    const input = { command: 'ls' };
    running.stdin.end(
      JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: input, cwd: current.folder }),
    );
    const { stdout, stderr } = await running.ended;
    return stdout + stderr;
  },
  'the model': async () => {
    mock.calls = [{ id: 'toolu_01A09q90qw90lq917835lq9', name: 'Bash', input: { command: 'ls' } }];
    const body = JSON.stringify({ model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Do it.' }] });
    const headers = { 'content-type': 'application/json', 'user-agent': 'claude-cli/2.1.330 (external, cli)' };
    return (await fetch(`${serving.llmUrl('anthropic')}/v1/messages`, { method: 'POST', headers, body })).text();
  },
};

it('denies the call on every path, and says how to have it approved', async () => {
  const answers = await Promise.all(Object.entries(PATHS).map(async ([name, path]) => [name, await path()] as const));
  for (const [name, answer] of answers) expect([name, answer]).toEqual([name, expect.stringContaining('clawai approvals')]);
  expect(sandbox.current.decided().map(({ action, approval }) => [action, approval])).toEqual(
    answers.map(() => ['block', 'expired']),
  );
  expect(server.seen).toEqual([]);
});
