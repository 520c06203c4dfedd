/** @module-tag long */
// Conversations that go on after a call in them was denied, by the packages that agents are built on, through the real binary. The model
// refuses what its API would refuse.
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { type Block, RememberingModel } from '../support/remembering-model.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

// What it says of a model that it does not know is no matter here.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const sandbox = useSandbox();

const POLICY = `
[defaults]
action = "allow"
unmapped_tool = "allow"
[[rule]]
id = "no-rm"
action = "deny"
server = "native"
tool = "Bash"
args.command = "**rm **"
`;
const SCHEMA = { type: 'object', properties: { command: { type: 'string' } } } as const;

const thinking = (words: string): Block => ({ type: 'thinking', thinking: words, signature: 'c2lnbmF0dXJl' });
const text = (words: string): Block => ({ type: 'text', text: words });
const bash = (id: string, command: string, more: Block = {}): Block => ({
  type: 'tool_use',
  id,
  name: 'Bash',
  input: { command },
  ...more,
});
const LS = bash('toolu_ls', 'ls');
const RM = bash('toolu_rm', 'rm -r build');
const DENIED = expect.stringMatching(/^clawai denied the tool call "?Bash"?.*\(rule "no-rm", argument "[\w.]+"\)/) as string;
const failure = (id: string) => ({ type: 'tool_result', tool_use_id: id, is_error: true, content: DENIED });

let model: RememberingModel | undefined;
let serving: Serving | undefined;
afterEach(async () => {
  await serving?.stop();
  await model?.stop();
  serving = undefined;
  model = undefined;
});

/** Starts `clawai serve`, again where it runs already, and gives the provider's URL. */
async function serve(at: RememberingModel): Promise<string> {
  await serving?.stop();
  const config = `[llm.providers.anthropic]\nbase_url = "${at.origin}"\n`;
  serving = await Serving.start(sandbox.current, { policy: POLICY, config });
  const [line = ''] = serving.process.stdout.toString().split('\n');
  const { llm } = JSON.parse(line) as { llm: { url: string }[] };
  return llm[0]?.url ?? '';
}

async function begin(...answers: (readonly Block[])[]): Promise<{ model: RememberingModel; url: string; client: Anthropic }> {
  model = await RememberingModel.start(answers);
  const url = await serve(model);
  return { model, url, client: new Anthropic({ baseURL: url, apiKey: 'k', maxRetries: 0 }) };
}

/** The tool of the runner that runs commands, and what it was asked to run. */
function runnable(onRun: () => Promise<void> = () => Promise.resolve()) {
  const run: string[] = [];
  const made = {
    type: 'custom' as const,
    name: 'Bash',
    description: 'Runs a command.',
    input_schema: SCHEMA,
    parse: (input: unknown) => input as { command: string },
    run: async ({ command }: { command: string }) => {
      run.push(command);
      await onRun();
      return 'ok';
    },
  };
  return { run, made };
}

/** The events of one type, as the command shows them. */
async function eventsOf(type: string): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await sandbox.current.clawai('mcp', 'events', '--json', '--type', type).close();
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const ASK = { model: 'claude-x', max_tokens: 100 };

describe('hazard 31: the next request after a denied call', () => {
  it.each(['a stream', 'a whole answer'])(
    'has what the model thought and called as it was: @anthropic-ai/sdk, %s',
    async (how) => {
      const first = [thinking('hm'), text('so'), RM, LS];
      const second = [thinking('well'), bash('toolu_rm2', 'rm -r dist', { caller: { type: 'direct' } })];
      const { model: at, client } = await begin(first, second);
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'go' }];
      const ask = async () => {
        const { content } = await (how === 'a stream'
          ? client.messages.stream({ ...ASK, messages }).finalMessage()
          : client.messages.create({ ...ASK, messages }));
        messages.push({ role: 'assistant', content });
        return content;
      };
      expect(await ask()).toMatchObject([
        {},
        {},
        { type: 'text', text: expect.stringContaining('[clawai blk_') },
        { id: 'toolu_ls' },
      ]);
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_ls', content: 'a b' }] });
      await ask();
      messages.push({ role: 'user', content: 'go on' });
      expect(await client.messages.countTokens({ model: 'claude-x', messages })).toEqual({ input_tokens: 1 });
      expect(await ask()).toMatchObject([{ text: 'All is said.' }]);
      expect(at.refusals).toEqual([]);
      const listed = { type: 'tool_result', tool_use_id: 'toolu_ls', content: 'a b' };
      expect(at.bodies.at(-1)?.messages).toEqual([
        { role: 'user', content: 'go' },
        { role: 'assistant', content: first },
        { role: 'user', content: [failure('toolu_rm'), listed] },
        { role: 'assistant', content: second },
        { role: 'user', content: [failure('toolu_rm2'), { type: 'text', text: 'go on' }] },
      ]);
      // What has been sent once is sent again as it was, so that it need not be read again.
      const sent = at.bodies.map((body) => body.messages.map((message) => JSON.stringify(message)));
      expect(sent.at(-1)?.slice(0, 3)).toEqual(sent[1]?.slice(0, 3));
      // None of what we have put in is taken for a result of the client's.
      expect(await eventsOf('mcp_denied_call_result')).toEqual([]);
    },
  );

  it('has it, too, in a thread that the provider remembers: the tool runner', async () => {
    const { model: at, client } = await begin([thinking('hm'), LS, RM], [bash('toolu_ls2', 'ls -l')]);
    const { run, made } = runnable();
    const messages = [{ role: 'user' as const, content: 'go' }];
    const runner = client.beta.messages.toolRunner({ ...ASK, stream: true, messages, tools: [made] });
    const last = await runner.runUntilDone();
    expect(last).toMatchObject({ content: [{ text: 'All is said.' }] });
    expect(run).toEqual(['ls', 'ls -l']);
    expect(at.refusals).toEqual([]);
    expect(at.bodies.map(({ thread }) => thread?.type)).toEqual(['create', 'continue', 'continue']);
    expect(at.bodies[1]?.messages).toMatchObject([
      { role: 'user', content: [failure('toolu_rm'), { type: 'tool_result', tool_use_id: 'toolu_ls' }] },
    ]);
  });

  it('is sent as a whole where clawai was started anew, and the thread still knows the call', async () => {
    const { model: at, client } = await begin([text('so'), RM]);
    const thread = client.beta.messages.thread(ASK);
    expect(await thread.send({ role: 'user', content: 'go' })).toMatchObject({ stop_reason: 'end_turn' });
    client.baseURL = await serve(at);
    const answer = await thread.send({ role: 'user', content: 'go on' });
    expect(answer.content).toMatchObject([{ text: 'All is said.' }]);
    expect(at.refusals).toEqual([expect.stringContaining('toolu_rm')]);
    expect(at.bodies.map((body) => body.thread?.type)).toEqual(['create', 'continue', 'create']);
    // Nobody knows the call any more: what the client has is what there is.
    expect(at.bodies[2]?.messages[1]).toMatchObject({
      content: [{ text: 'so' }, { text: expect.stringContaining('[clawai blk_') }],
    });
  });

  it('is so, too, where the tool runner is at it', async () => {
    const { model: at, client } = await begin([LS, RM]);
    const { run, made } = runnable(async () => {
      client.baseURL = await serve(at);
    });
    const runner = client.beta.messages.toolRunner({ ...ASK, messages: [{ role: 'user', content: 'go' }], tools: [made] });
    expect(await runner.runUntilDone()).toMatchObject({ content: [{ text: 'All is said.' }] });
    expect(run).toEqual(['ls']);
    expect(at.bodies.map((body) => body.thread?.type)).toEqual(['create', 'continue', 'create']);
  });

  it('that is refused for anything else is the client’s to see', async () => {
    const { model: at, client } = await begin([RM]);
    const thread = client.beta.messages.thread(ASK);
    await thread.send({ role: 'user', content: 'go' });
    const refused = thread.send({ role: 'user', content: [{ type: 'text', text: ' ' }] });
    await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringContaining('non-whitespace') });
    expect(at.bodies).toHaveLength(2);
  });

  it('has it as it was: @ai-sdk/anthropic', async () => {
    // The package writes texts down before calls, whatever the order was.
    const first = [thinking('hm'), RM, LS];
    const { model: at, url } = await begin(first);
    const { run } = runnable();
    const { text: said } = await generateText({
      model: createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k' })('claude-x'),
      prompt: 'go',
      tools: {
        Bash: tool({
          inputSchema: jsonSchema<{ command: string }>(SCHEMA),
          execute: async ({ command }) => {
            run.push(command);
            return 'ok';
          },
        }),
      },
      stopWhen: stepCountIs(3),
    });
    expect(said).toBe('All is said.');
    expect(run).toEqual(['ls']);
    expect(at.refusals).toEqual([]);
    expect(at.bodies[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: first },
      { role: 'user', content: [failure('toolu_rm'), { type: 'tool_result', tool_use_id: 'toolu_ls' }] },
    ]);
  });
});

describe('a result that the client sends of a denied call', () => {
  it('is an alarm, once', async () => {
    const { client } = await begin([RM]);
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'go' }];
    await client.messages.create({ ...ASK, messages });
    messages.push(
      { role: 'assistant', content: [RM as unknown as Anthropic.ToolUseBlockParam] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_rm', content: 'all gone' }] },
    );
    for (let time = 0; time < 3; time++) await client.messages.create({ ...ASK, messages });
    await until('an alarm', async () => (await eventsOf('mcp_denied_call_result')).length > 0);
    const events = await eventsOf('mcp_denied_call_result');
    const [call] = sandbox.current.decided();
    expect(events).toMatchObject([
      {
        session_id: call?.['session_id'],
        server_id: 'native',
        tool_name: 'Bash',
        tool_call_id: 'toolu_rm',
        denied_request_id: call?.['request_id'],
        severity: 'critical',
        action: 'alert',
      },
    ]);
    expect(events[0]?.['request_id']).not.toBe(call?.['request_id']);
  });
});
