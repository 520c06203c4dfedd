import { once } from 'node:events';
import { get as getOverHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openaiApi } from '../../../src/protocol/llm/openai/api.ts';
import { knowing } from '../../support/knowing.ts';
import {
  ALLOW,
  answerJson,
  type Asked,
  answerStream,
  denyNative,
  type LlmOptions,
  type RunningLlm,
} from '../../support/llm-route.ts';
import { useLlm } from '../../support/use-llm.ts';
import { accumulateResponse } from '../../support/response-accumulator.ts';
import {
  begun,
  call,
  completed,
  type Item,
  itemEvents,
  message,
  numbered,
  response,
  stream,
} from '../../support/response-events.ts';

const READ = call('read', '{"path":"/a"}');
const SHELL = call('shell', '{"command":"ls"}');
const POLICY = ALLOW + denyNative('shell');
const REQUEST = { model: 'm', input: 'Do it.' };
const NOTE = /^\[clawai blk_[\w-]{16}\] clawai denied the tool call "shell"/;

const llm = useLlm({ api: openaiApi, policy: POLICY, path: '/v1' });
const run = (answer: (response: ServerResponse, asked: Asked) => void, options: Partial<LlmOptions> = {}): Promise<RunningLlm> =>
  llm.run({ ...options, answer: (asked, reply) => answer(reply, asked) });

const bodyOf = (asked: Asked | undefined): Record<string, unknown> =>
  JSON.parse(asked?.body.toString() ?? '{}') as Record<string, unknown>;
const send = (body: object, path = '/responses'): Promise<Response> => (llm.current as RunningLlm).post(body, {}, path);
const post = async (body: object, path = '/responses'): Promise<{ output: readonly Item[] }> =>
  (await send(body, path)).json() as Promise<{ output: readonly Item[] }>;
const textIn = (item: Item | undefined): string => ((item ?? {})['content'] as readonly [{ text: string }])[0].text;

describe('a route to the Responses API', () => {
  it('decides what is streamed and what is whole', async () => {
    await run((reply, asked) =>
      bodyOf(asked)['stream'] === true
        ? answerStream(reply, stream([message('So.'), READ, SHELL]))
        : answerJson(reply, response([message('So.'), READ, SHELL])),
    );
    const { output } = await post(REQUEST);
    const made = accumulateResponse(await (await send({ ...REQUEST, stream: true })).text());
    for (const items of [output, made.items, made.output ?? []]) {
      expect(items).toEqual([message('So.'), READ, expect.objectContaining({ type: 'message' })]);
      expect(textIn(items[2])).toMatch(NOTE);
    }
    expect(llm.current?.records.map(({ intercepted }) => intercepted?.dialect)).toEqual(
      Array.from({ length: 4 }, () => 'openai'),
    );
  });

  it('knows the tools of servers by their namespace', async () => {
    const create = call('create_issue', '{"title":"of-the-call"}', { namespace: 'mcp__github' });
    const policy = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "github"\ntool = "create_issue"\n';
    await run((reply) => answerJson(reply, response([create])), {
      policy,
      ports: { registry: knowing({ github: ['create_issue'] }) },
    });
    const namespace = { type: 'namespace', name: 'mcp__github', tools: [{ type: 'function', name: 'create_issue' }] };
    expect(JSON.stringify(await post({ ...REQUEST, tools: [namespace] }))).not.toContain('of-the-call');
    expect(llm.current?.records).toMatchObject([
      { call: { server: 'github', tool: 'create_issue' }, decision: { action: 'deny' } },
    ]);
  });

  it('restores a denied call in the next request, and tells of a result for it', async () => {
    await run((reply) => answerJson(reply, response([SHELL])));
    const { output } = await post(REQUEST);
    const history = [{ role: 'user', content: 'Do it.' }, ...output, { role: 'user', content: 'And?' }];
    await post({ model: 'm', input: history });
    expect(bodyOf(llm.current?.asked[1])['input']).toEqual([
      history[0],
      SHELL,
      { type: 'function_call_output', call_id: SHELL['call_id'], output: expect.stringContaining('clawai denied') },
      history[2],
    ]);
    expect(llm.current?.deniedResults).toEqual([]);
    const result = { type: 'function_call_output', call_id: SHELL['call_id'], output: 'a.txt' };
    await post({ model: 'm', input: [result, history[2]] });
    expect(llm.current?.deniedResults).toMatchObject([{ tool: 'shell' }]);
    expect(bodyOf(llm.current?.asked[2])['input']).toEqual([history[2]]);
  });

  it('takes out a reference to a note of an earlier process, which nobody knows any more', async () => {
    await run((reply) => answerJson(reply, response([])));
    const user = { role: 'user', content: 'Do it.' };
    await post({ model: 'm', input: [user, { type: 'item_reference', id: 'msg_clawai_0123456789abcdef' }, user] });
    expect(bodyOf(llm.current?.asked[0])['input']).toEqual([user, user]);
  });

  it('gives a continued answer and a conversation the results that they wait for, once', async () => {
    await run((reply, asked) => {
      const { conversation } = bodyOf(asked);
      const id = {
        id: `resp_${llm.current?.asked.length}`,
        ...(conversation === undefined ? {} : { conversation: { id: conversation } }),
      };
      answerJson(reply, response(llm.current?.asked.length === 1 ? [SHELL] : [message('So.')], id));
    });
    const told = { type: 'function_call_output', call_id: SHELL['call_id'], output: expect.stringContaining('clawai denied') };
    await post({ ...REQUEST, conversation: 'conv_1' });
    for (const expected of [[told, { role: 'user', content: 'And?' }], 'And?']) {
      await post({ model: 'm', conversation: 'conv_1', input: 'And?' });
      expect(bodyOf(llm.current?.asked.at(-1))['input']).toEqual(expected);
    }
    await llm.current?.close();
    await run((reply) => answerJson(reply, response([SHELL])));
    await post(REQUEST);
    await post({ model: 'm', previous_response_id: 'resp_1', input: 'And?' });
    expect(bodyOf(llm.current?.asked.at(-1))['input']).toEqual([told, { role: 'user', content: 'And?' }]);
  });

  it('tells a client to start over if nobody knows the call that has no result', async () => {
    const error = { message: 'No tool output found for function call call_1.', type: 'invalid_request_error' };
    await run((reply) => answerJson(reply, { error }, 400));
    const answer = await send({ ...REQUEST, previous_response_id: 'resp_9' });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'previous_response_not_found' } }]);
  });

  it('has the provider not search or run code where that is denied', async () => {
    await run((reply) => answerJson(reply, response([])), { policy: ALLOW + denyNative('web_search') + denyNative('shell') });
    const tools = [
      { type: 'web_search' },
      { type: 'shell', environment: { type: 'container_auto' } },
      { type: 'code_interpreter' },
    ];
    await post({ ...REQUEST, tools });
    expect(bodyOf(llm.current?.asked[0])['tools']).toEqual([{ type: 'code_interpreter' }]);
  });

  it('keeps a client waiting by an event that counts for it', async () => {
    await run(
      (reply) => {
        const events = [...begun(), ...itemEvents(READ, 0)];
        reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(numbered(events.slice(0, 4)));
        setTimeout(() => reply.end(numbered([...events, completed([READ])]).slice(numbered(events.slice(0, 4)).length)), 100);
      },
      { keepAlive: 15 },
    );
    const text = await (await send(REQUEST)).text();
    expect(text).toContain('event: keepalive\ndata: {"type":"keepalive","sequence_number":1}\n\n');
    expect(accumulateResponse(text).items).toEqual([READ]);
  });

  it.each([
    ['/responses', 426, []],
    ['/realtime', 426, [expect.stringMatching(/^refused a WebSocket at .*\/realtime: /)]],
  ])('answers a WebSocket at %s with %i and tells of it only if no POST follows', async (path, status, told) => {
    await run((reply) => answerJson(reply, {}));
    const { port } = new URL(llm.current?.url ?? '');
    const request = getOverHttp({
      port,
      path: `${new URL(llm.current?.url ?? '').pathname}${path}`,
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, llm.current?.asked]).toEqual([status, []]);
    expect(llm.current?.warnings).toEqual(told);
  });

  it('refuses what it can not see, with the path', async () => {
    await run((reply) => answerJson(reply, {}));
    for (const [method, path] of [
      ['GET', '/responses/resp_1/input_items'],
      ['POST', '/conversations/conv_1/items'],
      ['PUT', '/responses'],
    ] as const) {
      const answer = await fetch(`${llm.current?.url}${path}`, { method, ...(method === 'GET' ? {} : { body: '{}' }) });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(`clawai refuses ${method} ${path}`)]);
    }
    expect(llm.current?.asked).toEqual([]);
  });
});

describe('an answer that the provider stores', () => {
  const get = (path: string): Promise<Response> => fetch(`${llm.current?.url}${path}`);

  it('is decided when it is fetched, once for each call, however often that is', async () => {
    await run((reply, asked) =>
      answerJson(
        reply,
        response(asked.method === 'POST' ? [] : [READ, SHELL], { status: asked.method === 'POST' ? 'queued' : 'completed' }),
      ),
    );
    expect((await post({ ...REQUEST, background: true })).output).toEqual([]);
    const texts: string[] = [];
    for (let times = 0; times < 3; times++) texts.push(await (await get('/responses/resp_1')).text());
    expect(new Set(texts).size).toBe(1);
    const { output } = JSON.parse(texts[0] ?? '') as { output: readonly Item[] };
    expect([output[0], textIn(output[1])]).toEqual([READ, expect.stringMatching(NOTE)]);
    expect(llm.current?.records).toHaveLength(2);
  });

  it('is decided as a stream that goes on after a break', async () => {
    await run((reply) => answerStream(reply, numbered([...itemEvents(SHELL, 0), completed([SHELL])])));
    const made = accumulateResponse(await (await get('/responses/resp_1?stream=true&starting_after=1')).text());
    expect(textIn(made.items[0])).toMatch(NOTE);
    expect(made.output).toEqual(made.items);
    expect(llm.current?.asked[0]?.url).toBe('/v1/responses/resp_1?stream=true&starting_after=1');
  });

  it('has its id from the path there, so that the answer after it has the result that it waits for', async () => {
    await run((reply, { method }) =>
      method === 'GET'
        ? answerStream(reply, numbered([...itemEvents(SHELL, 0), completed([SHELL], { id: 'resp_Ab9' })]))
        : answerJson(reply, response([])),
    );
    await (await get('/responses/resp_Ab9?stream=true&starting_after=1')).text();
    await post({ model: 'm', previous_response_id: 'resp_Ab9', input: 'And?' });
    expect(bodyOf(llm.current?.asked.at(-1))['input']).toEqual([
      { type: 'function_call_output', call_id: SHELL['call_id'], output: expect.stringContaining('clawai denied') },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('is decided where it is cancelled, and can be deleted', async () => {
    await run((reply, { method }) => answerJson(reply, method === 'POST' ? response([SHELL]) : { deleted: true }));
    const cancelled = (await (await send({}, '/responses/resp_1/cancel')).json()) as { output: readonly Item[] };
    expect(textIn(cancelled.output[0])).toMatch(NOTE);
    expect(await (await fetch(`${llm.current?.url}/responses/resp_1`, { method: 'DELETE' })).json()).toEqual({ deleted: true });
  });

  it('passes as it is where it is compacted or counted', async () => {
    const compacted = { object: 'response.compaction', output: [{ type: 'compaction', id: 'c', encrypted_content: 'x' }] };
    await run((reply, { url }) => answerJson(reply, url.includes('compact') ? compacted : { input_tokens: 3 }));
    expect(await post(REQUEST, '/responses/compact')).toEqual(compacted);
    expect(await post(REQUEST, '/responses/input_tokens')).toEqual({ input_tokens: 3 });
  });

  it('passes an error of the provider', async () => {
    await run((reply) => answerJson(reply, { error: { message: 'gone' } }, 404));
    const answer = await get('/responses/resp_1');
    expect([answer.status, await answer.json()]).toEqual([404, { error: { message: 'gone' } }]);
  });
});
