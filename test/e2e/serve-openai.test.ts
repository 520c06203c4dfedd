import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { ModelMock } from '../support/model-mock.ts';
import { Serving } from '../support/serving.ts';

const sandbox = useSandbox();

const POLICY = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "shell"\n';

let mock: ModelMock;
let serving: Serving | undefined;
beforeEach(async () => {
  mock = await ModelMock.start([
    { id: 'call_1', name: 'shell', input: { command: 'ls' } },
    { id: 'call_2', name: 'read', input: { path: '/a' } },
  ]);
});
afterEach(async () => {
  await serving?.stop();
  serving = undefined;
  await mock.stop();
});

async function serve(mode = ''): Promise<string> {
  const config = `${mode}[llm.providers.openai]\nbase_url = "${mock.origin}/v1"\n`;
  serving = await Serving.start(sandbox.current, { policy: POLICY, config });
  const [line = ''] = serving.process.stdout.toString().split('\n');
  const { llm } = JSON.parse(line) as { llm: { name: string; url: string }[] };
  expect(llm).toEqual([{ name: 'openai', url: expect.stringMatching(/\/llm\/openai\/[\w-]{22}$/) }]);
  return llm[0]?.url ?? '';
}

async function ask(baseURL: string): Promise<OpenAI.ChatCompletion.Choice | undefined> {
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const { choices } = await client.chat.completions
    .stream({ model: 'm', messages: [{ role: 'user', content: 'Do it.' }] })
    .finalChatCompletion();
  return choices[0];
}

describe('hazard 1: OpenAI behind clawai serve', () => {
  it('has a URL that is a base URL of its SDK, and gives only what the policy allows', async () => {
    expect(await ask(await serve())).toMatchObject({
      message: {
        content: expect.stringMatching(/^Well\.\n\n\[clawai blk_[\w-]{16}\] clawai denied/),
        tool_calls: [{ id: 'call_2', function: { name: 'read' } }],
      },
      finish_reason: 'tool_calls',
    });
    expect(mock.requests.map(({ url }) => url)).toEqual(['/v1/chat/completions']);
    expect(sandbox.current.decided()).toMatchObject([
      { dialect: 'openai', action: 'block', tool_name: 'shell' },
      { dialect: 'openai', action: 'allow', tool_name: 'read' },
    ]);
  });

  it('gives everything where clawai only observes, and records it', async () => {
    expect((await ask(await serve('mode = "observe"\n')))?.message.tool_calls).toMatchObject([
      { id: 'call_1' },
      { id: 'call_2' },
    ]);
    expect(sandbox.current.decided()).toHaveLength(2);
  });

  it('gives what came of a batch as a whole, since parts of a line tell nobody what it calls', async () => {
    const url = await serve();
    await fetch(`${url}/files/f/content`, { headers: { range: 'bytes=7-', 'if-range': 'x' } });
    await fetch(`${url}/models`, { headers: { range: 'bytes=7-' } });
    expect(mock.requests.map(({ url: asked, headers }) => [asked, headers.range, headers['if-range']])).toEqual([
      ['/v1/files/f/content', undefined, undefined],
      ['/v1/models', 'bytes=7-', undefined],
    ]);
  });

  it('passes what Codex asks beside answers if that is texts alone', async () => {
    const url = await serve();
    const status = async (path: string) => (await fetch(`${url}${path}`, { method: 'POST', body: '{}' })).status;
    await Promise.all(['/alpha/search', '/memories/trace_summarize'].map(status));
    expect(await status('/realtime/calls')).toBe(400);
    expect(mock.requests.map(({ url: asked }) => asked).toSorted()).toEqual(['/v1/alpha/search', '/v1/memories/trace_summarize']);
  });

  it('gives no answers in words that nobody looks at', async () => {
    const url = await serve();
    for (const [method, path] of [
      ['GET', '/responses/r1/input_items'],
      ['GET', '/chat/completions/c1'],
      ['POST', '/messages'],
    ] as const) {
      const answer = await fetch(`${url}${path}`, { method, ...(method === 'POST' ? { body: '{}' } : {}) });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: expect.objectContaining({ type: 'invalid_request_error' }) },
      ]);
    }
    expect(mock.requests).toEqual([]);
  });
});
