import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openaiApi } from '../../../src/protocol/llm/openai/api.ts';
import { accumulateChat } from '../../support/chat-accumulator.ts';
import { begin, callChunks, type CallPlan, DONE, finish, said, stream } from '../../support/chat-chunks.ts';
import { ALLOW, type Asked, answerStream, denyNative, type LlmOptions, type RunningLlm } from '../../support/llm-route.ts';
import { useLlm } from '../../support/use-llm.ts';

const READ: CallPlan = { id: 'a', name: 'read', args: '{"path":"/a"}' };
const SHELL: CallPlan = { id: 'b', name: 'shell', args: '{"command":"ls"}' };
const POLICY = ALLOW + denyNative('shell');
const REQUEST = { model: 'm', stream: true, messages: [] };

const llm = useLlm({ api: openaiApi, policy: POLICY, path: '/v1' });
const run = (answer: (response: ServerResponse, asked: Asked) => void, options: Partial<LlmOptions> = {}): Promise<RunningLlm> =>
  llm.run({ ...options, answer: (asked, response) => answer(response, asked) });

async function ask(
  answer: (response: ServerResponse, asked: Asked) => void,
  options: Partial<LlmOptions> = {},
  body: object = REQUEST,
): Promise<string> {
  const { post } = await run(answer, options);
  return (await post(body, {}, '/chat/completions')).text();
}

describe('a route to an API of Chat Completions', () => {
  it.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('hazard 27: decides what comes in %s', async (encoding, encode) => {
    const text = await ask((response) =>
      answerStream(response, encode(stream('So.', [READ, SHELL])), { 'content-encoding': encoding }),
    );
    expect(accumulateChat(text).choices).toMatchObject([
      { content: expect.stringMatching(/^So\.\n\n\[clawai blk_[\w-]{16}\] .*"shell"/), toolCalls: [{ id: 'a' }] },
    ]);
    expect(llm.current?.records.map(({ intercepted }) => intercepted?.dialect)).toEqual(['openai', 'openai']);
  });

  it('hazard 32: knows how clients name the tools of servers, and denies what it does not know', async () => {
    const text = await ask((response) => answerStream(response, stream('', [{ ...READ, name: 'mcp__github__create_issue' }])), {
      policy: '[defaults]\naction = "allow"\n',
    });
    expect(accumulateChat(text).choices).toMatchObject([
      { toolCalls: [], content: expect.stringContaining('unknown to clawai') },
    ]);
  });

  it('has the provider not search where that is denied, and asks the rest as it was', async () => {
    const answer = (response: ServerResponse) => answerStream(response, stream('', []));
    const body = {
      ...REQUEST,
      web_search_options: {},
      tools: [{ type: 'browser_search' }, { type: 'function', function: { name: 'read' } }],
    };
    await ask(answer, { policy: ALLOW + denyNative('web_search') }, body);
    expect(JSON.parse(llm.current?.asked[0]?.body.toString() ?? '')).toEqual({ ...REQUEST, tools: body.tools });
  });

  it('refuses a request that readers differ on, in words that its clients read', async () => {
    const { post, asked } = await run(() => {});
    const answer = await post('{"messages":[],"messages":[]}', {}, '/chat/completions');
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: expect.objectContaining({ message: expect.stringContaining('a key occurs twice') }) },
    ]);
    expect(asked).toEqual([]);
  });

  it('tells a client that it is there while a call is held, by a comment', async () => {
    const text = await ask(
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write([begin(), ...callChunks(0, READ)].join(''));
        setTimeout(() => response.end(finish('tool_calls') + DONE), 100);
      },
      { keepAlive: 15 },
    );
    expect(text).toContain('\n\n: clawai\n\n');
    expect(text).not.toContain('event:');
    expect(accumulateChat(text).choices[0]?.toolCalls).toMatchObject([{ id: 'a' }]);
  });

  it('lets what is said through at once, while a call is held', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const { post } = await run((response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write([begin(), ...callChunks(0, READ), said('So.')].join(''));
      held.resolve(response);
    });
    const reader = (await post(REQUEST, {}, '/chat/completions')).body?.getReader();
    let text = '';
    while (!text.includes('So.')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(text).toBe(begin() + said('So.'));
    (await held.promise).end();
    await reader?.cancel();
  });

  it('decides each line of what came of a batch', async () => {
    const message = (call: CallPlan) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.args } }],
    });
    const line = (call: CallPlan) =>
      JSON.stringify({
        custom_id: call.id,
        response: { status_code: 200, body: { choices: [{ index: 0, message: message(call), finish_reason: 'tool_calls' }] } },
      });
    const { url } = await run((response) => response.end(`${line(READ)}\n${line(SHELL)}\n`));
    const lines = (await (await fetch(`${url}/files/file-1/content`)).text()).split('\n');
    expect(lines[0]).toBe(line(READ));
    expect(lines[1]).not.toContain('"shell","arguments"');
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      response: { body: { choices: [{ finish_reason: 'stop', message: { content: expect.stringContaining('[clawai blk_') } }] } },
    });
  });

  it.each(['/chat/completions', '/chat/completions/c1', '/responses/r1/input_items'])(
    'lets nobody fetch %s past it, unless it only observes',
    async (path) => {
      const { url, asked } = await run((response) => response.end('{}'));
      const refused = await fetch(`${url}${path}`);
      expect([refused.status, asked.length]).toEqual([400, 0]);
      const why = new RegExp(`^clawai refuses GET ${path}: .* only inspects /chat/completions and /responses\\. .* --no-llm`);
      expect(await refused.json()).toMatchObject({ error: { message: expect.stringMatching(why) } });
      expect(llm.current?.warnings).toEqual([expect.stringContaining(`refused GET ${path}: clawai could not see`)]);
      await llm.current?.close();
      const observing = await run((response) => response.end('{}'), { setup: { isObserving: true } });
      expect((await fetch(`${observing.url}${path}`)).status).toBe(200);
      expect(observing.warnings).toEqual([]);
    },
  );
});
