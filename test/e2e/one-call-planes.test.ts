// A call that is seen in the answer of a model, at its hook and at its server: as the same call, and as another one by the same id.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { ModelMock } from '../support/model-mock.ts';
import { post } from '../support/post.ts';
import { Running } from '../support/running.ts';
import { ScriptedServer } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { query } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { waitingCalls } from '../support/waiting-calls.ts';

const sandbox = useSandbox();

const ID = 'toolu_01A09q90qw90lq917835lq9';
const NATIVE = 'Bash';
const OF_SERVER = 'mcp__s__t';

const POLICY = `
[defaults]
action = "allow"
[approval]
timeout = "30s"
channels = ["terminal"]
[[rule]]
id = "ask"
action = "prompt"
server = ["native", "s"]
tool = ["Bash", "t"]
`;

let mock: ModelMock;
let server: ScriptedServer;
let serving: Serving;
beforeEach(async () => {
  server = await ScriptedServer.start();
  mock = await ModelMock.start([]);
  const config = `[llm.providers.anthropic]\nbase_url = "${mock.origin}"\n`;
  serving = await Serving.start(sandbox.current, { servers: { s: server.url }, policy: POLICY, config });
  await until('its tools are known', async () => {
    const { stdout } = await sandbox.current.clawai('mcp', 'registry', 'list', '--json').close();
    return stdout.includes('"t"');
  });
});
afterEach(async () => {
  await serving.stop();
  await server.stop();
  await mock.stop();
});

type Plane = (name: string, input: object) => Promise<unknown>;

const model: Plane = async (name, input) => {
  mock.calls = [{ id: ID, name, input }];
  const body = JSON.stringify({ model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Do it.' }] });
  const headers = { 'content-type': 'application/json', 'user-agent': 'claude-cli/2.1.330 (external, cli)' };
  const answer = await fetch(`${serving.llmUrl('anthropic')}/v1/messages`, { method: 'POST', headers, body });
  expect(await answer.text()).toContain(ID);
};

const hook: Plane = async (name, input) => {
  const { current } = sandbox;
  const files = ['--policy', current.path('policy.toml'), '--config', current.path('config.toml')];
  const running = new Running(current.command('hook', 'claude-code', ...files), { env: current.env, cwd: current.folder });
  const payload = { hook_event_name: 'PreToolUse', tool_name: name, tool_input: input, tool_use_id: ID, cwd: current.folder };
  running.stdin.end(JSON.stringify(payload));
  expect(await running.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
};

const atServer: Plane = async (_name, input) => {
  const params = { name: 't', arguments: input, _meta: { 'claudecode/toolUseId': ID } };
  const { status } = await post(serving.url('s'), { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, {});
  expect(status).toBe(200);
};

/** The next question of a call, answered with yes; none if the call needs no answer. */
async function through(plane: Plane, name: string, input: object): Promise<boolean> {
  let isOver = false;
  const call = plane(name, input).finally(() => (isOver = true));
  const [question] = await waitingCalls(sandbox.current, { isOver: () => isOver });
  if (question !== undefined) await new AtTerminal(sandbox.current, ['approve', question.id]).ended;
  await call;
  return question !== undefined;
}

async function counted(): Promise<readonly number[]> {
  const { stdout } = await sandbox.current.clawai('report', '--json').close();
  const { calls, model_calls: ofModel } = JSON.parse(stdout) as Record<'calls' | 'model_calls', { readonly total: number }>;
  return [calls.total, ofModel.total];
}

const PLANES = { model, hook, server: atServer };

describe.runIf(HAS_TERMINAL)('a call by one id', () => {
  it.each([
    ['model', 'hook', NATIVE, [0, 1], [0, 2]],
    ['model', 'hook', OF_SERVER, [0, 1], [0, 2]],
    ['model', 'server', OF_SERVER, [1, 0], [1, 1]],
    ['hook', 'server', OF_SERVER, [1, 0], [1, 1]],
  ] as const)(
    'is asked about once, and counts once, if it is the same: %s, then %s, %s',
    async (first, second, name, once, twice) => {
      const input = { text: 'a', n: 1 };
      expect(await through(PLANES[first], name, input)).toBe(true);
      expect(await through(PLANES[second], name, { n: 1, text: 'a' })).toBe(false);
      const [before, after, ...others] = sandbox.current.decided();
      expect(others).toEqual([]);
      expect(after).toMatchObject({ sighting_of: before?.['id'], approval: 'granted', rule: 'ask' });
      expect(await counted()).toEqual(once);
      expect(query(sandbox.current.storeFile, 'SELECT count(*) AS n FROM approvals')).toEqual([{ n: 1 }]);
      // Other arguments are another call.
      const id = before?.['id'];
      expect(await through(PLANES[first], name, input)).toBe(true);
      expect(await through(PLANES[second], name, { ...input, more: true })).toBe(true);
      const [, , , changed] = sandbox.current.decided();
      expect(changed?.['sighting_of']).toBeUndefined();
      expect(id).toBeDefined();
      const all = await counted();
      expect(all).toEqual([once[0] + twice[0], once[1] + twice[1]]);
    },
  );

  it('is asked about once, and counts once, in all three', async () => {
    const input = { text: 'a' };
    expect(await through(model, OF_SERVER, input)).toBe(true);
    expect(await through(hook, OF_SERVER, input)).toBe(false);
    expect(await through(atServer, OF_SERVER, input)).toBe(false);
    const [first, ...others] = sandbox.current.decided();
    expect(others.map((event) => event['sighting_of'])).toEqual([first?.['id'], first?.['id']]);
    expect(await counted()).toEqual([1, 0]);
  });
});
