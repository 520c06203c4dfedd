// OpenAI's Responses API through the real program: what its SDKs, and the AI SDK, make of answers with denied calls, and what the provider is sent next.
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import OpenAI4 from 'openai-4';
import OpenAI5 from 'openai-5';
import OpenAI6 from 'openai-6';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { EveryModel } from '../support/every-model.ts';
import { call, custom, type Item, message, REASONING, response, shell, stream } from '../support/response-events.ts';
import { Serving } from '../support/serving.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const sandbox = useSandbox();

const POLICY = `[defaults]
action = "allow"
[[rule]]
action = "deny"
server = "native"
tool = ["Bash", "shell"]
args."**" = "**rm -r**"
[[rule]]
action = "deny"
server = "native"
tool = "apply_patch"
args."**" = "**/.ssh/**"
`;

const READ = call('read', '{"path":"/a"}');
const RM = call('Bash', '{"command":"rm -r /"}');
const PATCH = custom('apply_patch', '*** Begin Patch\n*** Add File: /home/u/.ssh/config\n+x\n*** End Patch');
const SHELL = shell(['ls', 'rm -r /']);
const NOTE = /^\[clawai blk_[\w-]{16}\] clawai denied the tool call "(?:Bash|shell|apply_patch)"/;
const noted = { type: 'message', content: [expect.objectContaining({ text: expect.stringMatching(NOTE) as unknown })] };

const config = (): string => `[llm.providers.openai]\nbase_url = "${model.origin}/v1"\n`;

let model: EveryModel;
let serving: Serving;
let baseURL = '';
beforeEach(async () => {
  model = await EveryModel.start();
  serving = await Serving.start(sandbox.current, { policy: POLICY, config: config() });
  baseURL = serving.llmUrl('openai');
});
afterEach(async () => {
  await serving.stop();
  await model.stop();
});

/** Has the model say this, whole or as a stream. */
function say(items: readonly Item[], isStream: boolean): void {
  model.stream = isStream ? stream(items) : undefined;
  model.whole = isStream ? undefined : JSON.stringify(response(items));
}

interface Answer {
  readonly output: readonly Item[];
  readonly output_text: string;
}

/** The same of each of the majors, whose types differ. */
interface Client {
  readonly responses: {
    create(body: object): Promise<Answer>;
    stream(body: object): { finalResponse(): Promise<Answer> };
  };
}

const CLIENTS: Readonly<Record<string, () => unknown>> = {
  '7.57': () => new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 }),
  '6.49': () => new OpenAI6({ baseURL, apiKey: 'none', maxRetries: 0 }),
  '5.23': () => new OpenAI5({ baseURL, apiKey: 'none', maxRetries: 0 }),
  '4.104': () => new OpenAI4({ baseURL, apiKey: 'none', maxRetries: 0 }),
};

/** Majors that are tried with the long tests. */
const OLDER = new Set(['5.23', '4.104']);

async function ask(name: string, isStream: boolean, input: unknown = 'Do it.'): Promise<Answer> {
  const client: unknown = CLIENTS[name]?.();
  const { responses } = client as Client;
  const body = { model: 'm', input };
  return isStream ? responses.stream(body).finalResponse() : responses.create(body);
}

const ITEMS = [REASONING, message('So.'), READ, RM, PATCH];

describe.each(Object.keys(CLIENTS))('the SDK %s', (name) => {
  const options = OLDER.has(name) ? { tags: 'long' } : {};
  it.each([true, false])(
    'has the allowed call and no denied one (stream: %s), and the model is told in the next turn',
    options,
    async (isStream) => {
      say(ITEMS, isStream);
      const { output, output_text: text } = await ask(name, isStream);
      expect(output).toMatchObject([{ type: 'reasoning' }, message('So.'), { call_id: READ['call_id'] }, noted, noted]);
      // The older ones have no such text of a stream.
      if (!isStream || !OLDER.has(name)) expect(text).toMatch(/^So\.\[clawai/);
      expect(JSON.stringify(output)).not.toMatch(/rm -r|\.ssh/);
      say([message('Done.')], isStream);
      const result = { type: 'function_call_output', call_id: READ['call_id'], output: 'x' };
      await ask(name, isStream, [{ role: 'user', content: 'Do it.' }, ...output, result]);
      const { input } = JSON.parse(model.bodies.at(-1) ?? '') as { input: readonly Item[] };
      const told = expect.stringContaining('clawai denied');
      expect(input.map(({ type = 'message' }) => type)).toEqual([
        'message',
        'reasoning',
        'message',
        'function_call',
        'function_call',
        'function_call_output',
        'custom_tool_call',
        'custom_tool_call_output',
        'function_call_output',
      ]);
      expect(input.slice(4, 8)).toEqual([
        RM,
        { type: 'function_call_output', call_id: RM['call_id'], output: told },
        PATCH,
        { type: 'custom_tool_call_output', call_id: PATCH['call_id'], output: told },
      ]);
    },
  );

  it('has no call of several commands of which one is denied', options, async () => {
    say([SHELL], false);
    expect((await ask(name, false)).output).toMatchObject([noted]);
    say([shell(['ls', 'cat a'])], false);
    expect((await ask(name, false)).output).toEqual([shell(['ls', 'cat a'])]);
  });
});

describe('the AI SDK', () => {
  const run = async (isStream: boolean): Promise<readonly string[]> => {
    const ran: string[] = [];
    const inputSchema = jsonSchema({ type: 'object', properties: {} });
    const tools = Object.fromEntries(
      ['read', 'Bash'].map((each) => [each, tool({ inputSchema, execute: async () => (ran.push(each), 'ok') })]),
    );
    const options = {
      model: createOpenAI({ baseURL, apiKey: 'none' })('m'),
      prompt: 'Do it.',
      tools,
      stopWhen: stepCountIs(1),
      maxRetries: 0,
    };
    const text = isStream ? await streamText(options).text : (await generateText(options)).text;
    expect(text).toMatch(/^So\.\[clawai/);
    return ran;
  };

  it.each([true, false])('runs the allowed call alone (stream: %s)', async (isStream) => {
    say([message('So.'), READ, RM], isStream);
    expect(await run(isStream)).toEqual(['read']);
    expect(sandbox.current.decided()).toMatchObject([
      { dialect: 'openai', action: 'allow', tool_name: 'read' },
      { dialect: 'openai', action: 'block', tool_name: 'Bash' },
    ]);
  });
});

describe('the next turn', () => {
  const asked = (): readonly Item[] => (JSON.parse(model.bodies.at(-1) ?? '') as { input: readonly Item[] }).input;
  const told = { type: 'function_call_output', call_id: RM['call_id'], output: expect.stringContaining('clawai denied') };

  it.each([true, false])('of the AI SDK has the denied call again, also as a reference (stored: %s)', async (store) => {
    say([RM], false);
    const options = {
      model: createOpenAI({ baseURL, apiKey: 'none' })('m'),
      providerOptions: { openai: { store } },
      maxRetries: 0,
    };
    const { response: first } = await generateText({ ...options, prompt: 'Do it.' });
    say([message('Done.')], false);
    const messages = [
      { role: 'user', content: 'Do it.' } as const,
      ...first.messages,
      { role: 'user', content: 'And?' } as const,
    ];
    await generateText({ ...options, messages });
    expect(asked().slice(1, 3)).toEqual([RM, told]);
    expect(asked()).toHaveLength(4);
    // Another process knows nothing of the note, and OpenAI nothing of its id.
    await serving.stop();
    serving = await Serving.start(sandbox.current, { policy: POLICY, config: config() });
    const later = createOpenAI({ baseURL: serving.llmUrl('openai'), apiKey: 'none' })('m');
    await generateText({ ...options, model: later, messages });
    expect(asked().map(({ role }) => role)).toEqual(store ? ['user', 'user'] : ['user', 'assistant', 'user']);
    expect(asked().some(({ type }) => type === 'item_reference')).toBe(false);
  });

  it('of an answer that the provider stores has the result that it waits for, and no result of the agent goes unnoticed', async () => {
    const { responses } = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
    say([RM], false);
    const { id } = await responses.create({ model: 'm', input: 'Do it.' });
    say([message('Done.')], false);
    await responses.create({ model: 'm', previous_response_id: id, input: 'And?' });
    expect(asked()).toEqual([told, { role: 'user', content: 'And?' }]);
    const made = { type: 'function_call_output', call_id: String(RM['call_id']), output: 'made up' } as const;
    await responses.create({ model: 'm', previous_response_id: id, input: [made] });
    expect(serving.said().join('\n')).toContain('the agent sent a result for a denied call');
    expect(asked()).toEqual([told]);
  });

  it('of an answer in the background is that which is fetched', async () => {
    const { responses } = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
    say([READ, RM], false);
    for (let times = 0; times < 2; times++)
      expect(await responses.retrieve('resp_1')).toMatchObject({ output: [{ call_id: READ['call_id'] }, noted] });
    expect(sandbox.current.decided()).toHaveLength(2);
    await expect(responses.inputItems.list('resp_1')).rejects.toThrow(
      /clawai refuses GET \/responses\/resp_1\/input_items: .* only inspects \/chat\/completions and \/responses/,
    );
  });
});

it.each([true, false])('a server that sends no indices is understood (its items have ids: %s)', async (hasIds) => {
  const source = stream([message('So.'), READ, RM]).replaceAll(/"output_index":\d+,/g, '');
  model.stream = hasIds ? source : source.replaceAll(/"item_id":"[^"]*",/g, '');
  const items: Item[] = [];
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  for await (const event of await client.responses.create({ model: 'm', input: 'Do it.', stream: true }))
    if (event.type === 'response.output_item.done') items.push({ ...event.item });
  expect(items).toMatchObject([message('So.'), READ, noted]);
});

it('a call in an event about the arguments of another one reaches nobody', async () => {
  const done = '"type":"response.function_call_arguments.done",';
  model.stream = stream([READ]).replace(done, `${done}"item":${JSON.stringify(RM)},`);
  const events: unknown[] = [];
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  await expect(async () => {
    for await (const event of await client.responses.create({ model: 'm', input: 'Do it.', stream: true })) events.push(event);
  }).rejects.toThrow('clawai ended this answer: it has a call where none is expected.');
  expect(JSON.stringify(events)).not.toMatch(/rm -r|call_id/);
});

it('a call that is hidden in an early state of the answer reaches nobody', async () => {
  model.stream = stream([RM]).replace('"output":[]', `"output":[${JSON.stringify(RM)}]`);
  const events: unknown[] = [];
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  for await (const event of await client.responses.create({ model: 'm', input: 'Do it.', stream: true })) events.push(event);
  expect(JSON.stringify(events)).not.toContain('rm -r');
  expect(events).toMatchObject([{ type: 'response.created', response: { output: [] } }, ...events.slice(1)]);
});
