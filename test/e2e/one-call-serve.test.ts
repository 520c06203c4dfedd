// A model's call that is seen by one URL of `clawai serve` and made by another.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { ModelMock } from '../support/model-mock.ts';
import { post } from '../support/post.ts';
import { ScriptedServer } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { waitingCall } from '../support/waiting-calls.ts';

const sandbox = useSandbox();

const UNIQUE = 'toolu_01A09q90qw90lq917835lq9';

const POLICY = `
[defaults]
action = "allow"
[approval]
timeout = "30s"
channels = ["terminal"]
[[rule]]
id = "ask"
action = "prompt"
server = "s"
tool = "t"
`;

let mock: ModelMock;
let server: ScriptedServer;
let serving: Serving;
beforeEach(async () => {
  server = await ScriptedServer.start();
});
afterEach(async () => {
  await serving.stop();
  await server.stop();
  await mock.stop();
});

/** Starts it all, and asks the model, whose answer is one call by this id. */
async function ask(id: string): Promise<string> {
  mock = await ModelMock.start([{ id, name: 'mcp__s__t', input: { text: 'a', n: 1 } }]);
  const config = `[llm.providers.anthropic]\nbase_url = "${mock.origin}"\n`;
  serving = await Serving.start(sandbox.current, { servers: { s: server.url }, policy: POLICY, config });
  await until('its tools are known', async () => {
    const { stdout } = await sandbox.current.clawai('mcp', 'registry', 'list', '--json').close();
    return stdout.includes('"t"');
  });
  const body = JSON.stringify({ model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Do it.' }] });
  const headers = { 'content-type': 'application/json', 'user-agent': 'claude-cli/2.1.330 (external, cli)' };
  const answer = await fetch(`${serving.llmUrl('anthropic')}/v1/messages`, { method: 'POST', headers, body });
  return answer.text();
}

async function approve(): Promise<void> {
  const { id } = await waitingCall(sandbox.current);
  await new AtTerminal(sandbox.current, ['approve', id]).ended;
}

/** The agent makes the call. */
function make(toolUseId: string): ReturnType<typeof post> {
  const params = { name: 't', arguments: { n: 1, text: 'a' }, _meta: { 'claudecode/toolUseId': toolUseId } };
  return post(serving.url('s'), { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, {});
}

describe.runIf(HAS_TERMINAL)('hazard 1: a call that is approved in an answer and made by another URL', () => {
  it('is asked about once, where its id is that of no other call', async () => {
    const answer = ask(UNIQUE);
    await approve();
    expect(await answer).toContain(UNIQUE);
    expect((await make(UNIQUE)).status).toBe(200);
    expect(server.seen.map(({ message }) => message.params?.name)).toEqual(['t']);
    const [first, second, ...others] = sandbox.current.decided();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ type: 'mcp_tool_call_intercepted', approval: 'granted', tool_call_id: UNIQUE });
    expect(second).toMatchObject({
      type: 'mcp_tool_called',
      sighting_of: first?.['id'],
      approved_in: 'model_answer',
      approval_id: first?.['approval_id'],
    });
    expect(second?.['session_id']).toBe(first?.['session_id']);
  });

  it('is asked about again where its program counts its calls', async () => {
    const answer = ask('call_1');
    await approve();
    expect(await answer).toContain('call_1');
    const made = make('call_1');
    await approve();
    expect((await made).status).toBe(200);
    const [, second] = sandbox.current.decided();
    expect(second).toMatchObject({ approval: 'granted' });
    expect(second).not.toHaveProperty('sighting_of');
  });
});
