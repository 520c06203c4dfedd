import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { ALLOW, answerJson, denyNative, type LlmOptions, runLlm, type RunningLlm } from '../../support/llm-route.ts';
import { until } from '../../support/until.ts';

const running: RunningLlm[] = [];
afterEach(async () => {
  for (const route of running.splice(0)) await route.close();
});

async function run(options: LlmOptions): Promise<RunningLlm> {
  const route = await runLlm(options);
  running.push(route);
  return route;
}

const POLICY = ALLOW + denyNative('Bash');
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } };
const RESULT = {
  type: 'tool_result',
  tool_use_id: 'toolu_1',
  is_error: true,
  content: expect.stringMatching(/^clawai denied/) as string,
};
const GO = { role: 'user', content: 'go' };
const ASK = { model: 'm', messages: [GO] };
const message = (content: unknown[] = [CALL]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content,
  stop_reason: 'tool_use',
});
const answering = (_asked: unknown, response: ServerResponse): void => answerJson(response, message());

/** What the client has got for the call, and goes on with. */
async function denied(route: RunningLlm): Promise<{ role: string; content: unknown }> {
  const { role, content } = (await (await route.post(ASK)).json()) as { role: string; content: unknown };
  return { role, content };
}

const lastBody = ({ asked }: RunningLlm): unknown => JSON.parse(asked.at(-1)?.body.toString() ?? '');

describe('hazard 31: a request after a denied call', () => {
  const restored = [
    GO,
    { role: 'assistant', content: [CALL] },
    { role: 'user', content: [RESULT, { type: 'text', text: 'go' }] },
  ];

  it.each(['/v1/messages', '/v1/messages/count_tokens'])('has it as it was: %s', async (path) => {
    const route = await run({ policy: POLICY, answer: answering });
    await route.post({ model: 'm', messages: [GO, await denied(route), GO] }, {}, path);
    expect(lastBody(route)).toEqual({ model: 'm', messages: restored });
  });

  it('has it as it was in each request of a batch', async () => {
    const route = await run({ policy: POLICY, answer: answering });
    const params = { model: 'm', messages: [GO, await denied(route), GO] };
    const requests = [
      { custom_id: 'a', params },
      { custom_id: 'b', params: ASK },
      { custom_id: 'c', params },
    ];
    await route.post({ requests }, {}, '/v1/messages/batches');
    expect(lastBody(route)).toEqual({
      requests: [
        { custom_id: 'a', params: { model: 'm', messages: restored } },
        { custom_id: 'b', params: ASK },
        { custom_id: 'c', params: { model: 'm', messages: restored } },
      ],
    });
  });

  it('has it as it was in a thread that goes on', async () => {
    const route = await run({ policy: POLICY, answer: answering });
    await denied(route);
    const thread = { type: 'continue', previous_message_id: 'msg_1' };
    await route.post({ model: 'm', thread, messages: [GO] });
    expect(lastBody(route)).toEqual({ model: 'm', thread, messages: restored.slice(2) });
  });

  it('has it as it was where something else is taken out of it, too', async () => {
    const route = await run({ policy: POLICY + denyNative('web_search'), answer: answering });
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    await route.post({ model: 'm', tools, messages: [GO, await denied(route), GO] });
    expect(lastBody(route)).toEqual({ model: 'm', tools: [], messages: restored });
  });

  it('goes as it is to another provider, which never had that conversation', async () => {
    const [one, other] = [await run({ policy: POLICY, answer: answering }), await run({ policy: POLICY, answer: answering })];
    const body = { model: 'm', messages: [GO, await denied(one), GO] };
    await denied(other);
    await other.post(body);
    expect(lastBody(other)).toEqual(body);
  });

  it('goes byte for byte where nothing was denied', async () => {
    const route = await run({ policy: ALLOW, answer: answering });
    const body = '{ "model":"m", "n":1.0, "messages":[{"role":"assistant","content":"[clawai blk_AAAAAAAAAAAAAAAA] No."}] }';
    await denied(route);
    await route.post(body);
    expect(route.asked.at(-1)?.body.toString()).toBe(body);
  });

  it('that is refused all the same is the client’s to see, and is not sent twice', async () => {
    const refusal = { type: 'error', error: { type: 'invalid_request_error', message: '`tool_use` without `tool_result`' } };
    let times = 0;
    const route = await run({
      policy: POLICY,
      answer: (_asked, response) => (times++ === 0 ? answerJson(response, message()) : answerJson(response, refusal, 400)),
    });
    const answer = await route.post({ model: 'm', messages: [GO, await denied(route), GO] });
    expect([answer.status, await answer.json()]).toEqual([400, refusal]);
    expect(times).toBe(2);
  });
});

describe('hazard 31: a thread that waits for the result of a call that nobody knows any more', () => {
  const MISSING = '`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.';
  const refusing =
    (text: string, status = 400, isPacked = false) =>
    (_asked: unknown, response: ServerResponse): void => {
      const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: text } });
      const coding = isPacked ? { 'content-encoding': 'gzip' } : {};
      response
        .writeHead(status, { 'content-type': 'application/json', 'request-id': 'q', ...coding })
        .end(isPacked ? gzipSync(body) : body);
    };
  const CONTINUE = { model: 'm', thread: { type: 'continue', previous_message_id: 'msg_0' }, messages: [GO] };

  it.each([false, true])(
    'is said to be gone, so that the client sends the whole conversation; compressed: %s',
    async (isPacked) => {
      const route = await run({ answer: refusing(MISSING, 400, isPacked) });
      const answer = await route.post(CONTINUE);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('request-id')).toBe('q');
      expect(await answer.json()).toMatchObject({ error: { details: { error_code: 'thread_not_found' } } });
    },
  );

  it.each([
    ['for something else', CONTINUE, 'max_tokens: Field required', 400],
    ['with another status', CONTINUE, MISSING, 409],
    ['and is no thread that goes on', { ...CONTINUE, thread: { type: 'create' } }, MISSING, 400],
    ['and is no thread', ASK, MISSING, 400],
  ])('is what was refused, and not what was refused %s', async (_what, body, why, status) => {
    const route = await run({ answer: refusing(why, status) });
    const answer = await route.post(body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ type: 'error', error: { type: 'invalid_request_error', message: why } });
  });
});

describe('a result of the client’s for a denied call', () => {
  const bringing = (id: string) => ({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] }],
  });

  it('is an alarm, once for each call', async () => {
    const route = await run({ policy: POLICY, answer: answering });
    await denied(route);
    for (let time = 0; time < 3; time++) await route.post(bringing('toolu_1'));
    await until('an alarm', () => route.deniedResults.length > 0);
    expect(route.warnings).toEqual([expect.stringContaining('"Bash"')]);
    expect(route.deniedResults).toMatchObject([
      { server: 'native', tool: 'Bash', intercepted: { id: 'toolu_1', request: 'r.1' }, request: 'r.2' },
    ]);
  });

  it('is none where the result is of another call, or one that was put in by us', async () => {
    const route = await run({
      policy: ALLOW + denyNative('Bash'),
      answer: (_asked, response) => answerJson(response, message([CALL, { ...CALL, id: 'toolu_2', name: 'Read' }])),
    });
    const said = await denied(route);
    const results = [{ type: 'tool_result', tool_use_id: 'toolu_2', content: 'done' }];
    for (let time = 0; time < 2; time++)
      await route.post({ model: 'm', messages: [GO, said, { role: 'user', content: results }] });
    expect(lastBody(route)).toMatchObject({ messages: [{}, {}, { content: [RESULT, results[0]] }] });
    await route.close();
    expect(route.deniedResults).toEqual([]);
  });

  it('is none where nothing is enforced', async () => {
    const route = await run({ policy: POLICY, answer: answering, setup: { isObserving: true } });
    await denied(route);
    await route.post(bringing('toolu_1'));
    await route.close();
    expect(route.deniedResults).toEqual([]);
  });
});
