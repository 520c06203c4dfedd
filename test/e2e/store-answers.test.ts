// What answers say of records, by every way in, while the store can't be written: they name none that is not there.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, StoreHolder } from '../support/guarded.ts';
import { type Block, RememberingModel } from '../support/remembering-model.ts';
import { Serving } from '../support/serving.ts';

const sandbox = useSandbox();

const POLICY = `
[defaults]
action = "allow"
[[rule]]
id = "no-t"
action = "deny"
tool = "t"
[[rule]]
id = "no-rm"
action = "deny"
server = "native"
tool = "Bash"
args.command = "**rm **"
`;
const NOT_ON_RECORD = "clawai could not record this denial: tell the user to check clawai's messages.";
const RM: Block = { type: 'tool_use', id: 'toolu_rm', name: 'Bash', input: { command: 'rm -r build' } };

let model: RememberingModel | undefined;
let serving: Serving | undefined;
let provider: Server | undefined;
afterEach(async () => {
  await serving?.stop();
  provider?.closeAllConnections();
  provider?.close();
  await model?.stop();
  serving = undefined;
  model = undefined;
});

async function serve(answers: readonly (readonly Block[])[], policy = POLICY, config = ''): Promise<Serving> {
  model = await RememberingModel.start(answers);
  serving = await Serving.start(sandbox.current, {
    // Nobody is there; what is denied does not get so far.
    servers: { s: 'http://127.0.0.1:9/mcp' },
    policy,
    config: `${config}\n[llm.providers.anthropic]\nbase_url = "${model.origin}"\n`,
  });
  return serving;
}

async function post(url: string, body: string): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'anthropic-version': '2023-06-01',
    'x-api-key': 'k',
    'mcp-protocol-version': '2025-06-18',
  };
  const answer = await fetch(url, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

const ask = (url: string, messages: readonly object[]) =>
  post(`${url}/v1/messages`, JSON.stringify({ model: 'claude-x', max_tokens: 100, messages }));
const GO = { role: 'user', content: 'go' };

/** A server of a revision that has batches. */
const OLD = `
  import { createInterface } from 'node:readline';
  for await (const line of createInterface({ input: process.stdin })) {
    const result = { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result }));
  }`;

/** Ids of the records that these texts name. */
const named = (text: string): string[] => Array.from(text.matchAll(/"audit":"([^"]*)"/g), ([, id = '']) => id);

it('a denial that could not be recorded says so, and names no record: stdio, HTTP, and a model', async () => {
  const { current } = sandbox;
  const at = await serve([[RM], [RM]]);
  const guarded = new Guarded(current, { name: 'p', policy: POLICY, server: [process.execPath, current.write('old.mjs', OLD)] });
  guarded.send(JSON.stringify({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: { protocolVersion: '2025-03-26' } }));
  await guarded.answerTo('i');
  const lines = (): string[] => guarded.process.stdout.toString().split('\n').slice(1, -1);
  /** A call, a batch of two, one over HTTP, and one of a model. */
  const denyAll = async () => {
    const before = lines().length;
    guarded.send(call(1), `[${call(2)},${call(3)}]`);
    const [remote, answer] = await Promise.all([
      post(at.url('s'), call('h')),
      ask(at.llmUrl('anthropic'), [GO]),
      guarded.process.until(() => lines().length === before + 2),
    ]);
    return { ofServers: `${lines().slice(before).join('')}${remote.text}`, ofModel: answer.text };
  };
  const { ofServers, ofModel } = await denyAll();
  expect(named(ofServers)).toHaveLength(4);
  const recorded = current.decided().map(({ id }) => id);
  expect(recorded).toEqual(expect.arrayContaining(named(ofServers)));
  expect(`${ofServers}${ofModel}`).not.toContain(NOT_ON_RECORD);

  const holder = await StoreHolder.hold(current);
  const lost = await denyAll();
  await holder.release();
  expect(named(lost.ofServers)).toEqual([]);
  expect(lost.ofServers.split(NOT_ON_RECORD)).toHaveLength(5);
  expect(lost.ofServers).toContain('no-t');
  // The store says what a model's tools are, so that nothing more is known of such a call.
  expect(lost.ofModel).toContain('was denied, because it could not be recorded.');
  await guarded.process.close();
  expect(current.decided()).toHaveLength(5);
});

it('a result of a denied call is on record when its request reaches the model, or the request does not', async () => {
  const { current } = sandbox;
  const at = await serve([[RM], [{ type: 'text', text: 'so' }]]);
  const url = at.llmUrl('anthropic');
  await ask(url, [GO]);
  const made = [
    GO,
    { role: 'assistant', content: [RM] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_rm', content: 'gone' }] },
  ];
  const holder = await StoreHolder.hold(current);
  const refused = await ask(url, made);
  await holder.release();
  expect(refused.status).toBe(503);
  expect(refused.text).toContain('the result of a denied call, and clawai could not record that');
  expect(model?.bodies).toHaveLength(1);

  // Looked up before the model has said anything.
  let onRecord: unknown;
  const bodies = model?.bodies ?? [];
  Object.defineProperty(bodies, 'push', {
    value(body: never) {
      const store = new DatabaseSync(current.storeFile, { readOnly: true });
      onRecord = store.prepare("SELECT count(*) AS n FROM events WHERE type = 'mcp_denied_call_result'").get()?.['n'];
      store.close();
      return Array.prototype.push.call(bodies, body);
    },
  });
  await ask(url, made);
  expect(onRecord).toBe(1);
  await ask(url, made);
  expect(onRecord).toBe(1);
  expect(at.said().filter((line) => line.includes('the agent sent a result for a denied call'))).toHaveLength(1);
});

const ARGS = { command: 'rm -r build' };

/** An answer that makes one call, in the words of the API that this path is of. */
function calling(path: string): object {
  if (path.includes('generateContent')) {
    const parts = [{ functionCall: { name: 'Bash', args: ARGS } }];
    return { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }] };
  }
  const made = { name: 'Bash', arguments: JSON.stringify(ARGS) };
  const message = { role: 'assistant', content: null, refusal: null, function_call: made };
  const choices = [{ index: 0, message, finish_reason: 'function_call' }];
  return { id: 'c1', object: 'chat.completion', created: 1, model: 'm', choices };
}

const ASKING = { role: 'user', parts: [{ text: 'go' }] };
const WITHOUT_IDS = [
  {
    api: 'openai',
    path: '/chat/completions',
    first: { model: 'm', messages: [GO] },
    // Spelled in another way than the model did.
    made: (command: string): object => ({
      model: 'm',
      messages: [
        GO,
        { role: 'assistant', content: null, function_call: { name: 'Bash', arguments: `{ "command": "${command}" }` } },
        { role: 'function', name: 'Bash', content: 'gone' },
      ],
    }),
  },
  {
    api: 'gemini',
    path: '/v1beta/models/m:generateContent',
    first: { contents: [ASKING] },
    // The id is one that the client has made up.
    made: (command: string): object => ({
      contents: [
        ASKING,
        { role: 'model', parts: [{ functionCall: { name: 'Bash', args: { command } } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'bash-1', name: 'Bash', response: { output: 'gone' } } }] },
      ],
    }),
  },
];

it('a result is known to be of a denied call by what that was, where the API gives no ids, and at whatever provider', async () => {
  const reached: string[] = [];
  provider = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      reached.push(text);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(calling(request.url ?? '')));
    });
  });
  await new Promise<void>((resolve) => provider?.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const providers = ['openai', 'gemini'].map((name) => `[llm.providers.${name}]\nbase_url = "${origin}"\n`);
  serving = await Serving.start(sandbox.current, { policy: POLICY, config: providers.join('') });
  const urlOf = (api: string): string => serving?.llmUrl(api) ?? '';
  const results = (): number => sandbox.current.events().filter(({ type }) => type === 'mcp_denied_call_result').length;
  const [openai, gemini] = WITHOUT_IDS as [(typeof WITHOUT_IDS)[0], (typeof WITHOUT_IDS)[0]];
  const send = async ({ api, path }: typeof openai, body: object): Promise<void> => {
    const { status } = await post(urlOf(api) + path, JSON.stringify(body));
    expect(status).toBe(200);
  };
  // An honest client has made another call, and has it on record from before.
  await send(openai, openai.made('ls'));
  expect(results()).toBe(0);
  for (const one of [openai, gemini]) {
    await send(one, one.first);
    await send(one, one.made('ls -l'));
  }
  expect(results()).toBe(0);
  // What was denied at the one is told where its result goes to the other, and once.
  await send(gemini, gemini.made('rm -r build'));
  expect(results()).toBe(1);
  await send(openai, openai.made('rm -r build'));
  expect(results()).toBe(1);
  expect(reached).toHaveLength(7);
});
