import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { ModelMock } from '../support/model-mock.ts';
import { Running } from '../support/running.ts';
import { Serving } from '../support/serving.ts';

const sandbox = useSandbox();

const POLICY = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\n';

let mock: ModelMock;
let serving: Serving | undefined;
beforeEach(async () => {
  mock = await ModelMock.start([{ id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }]);
});
afterEach(async () => {
  await serving?.stop();
  serving = undefined;
  await mock.stop();
});

async function serve(more = '', policy = POLICY): Promise<{ readonly url: string; readonly other: string }> {
  const config = `${more}
    [llm.providers.anthropic]
    base_url = "${mock.origin}/team%20a/?key=k"
    [llm.providers.other]
    dialect = "anthropic"
    base_url = "${mock.origin}"
    secret = "0123456789012345678901"
  `;
  serving = await Serving.start(sandbox.current, { policy, config });
  const [line = ''] = serving.process.stdout.toString().split('\n');
  const { llm } = JSON.parse(line) as { llm: { name: string; url: string }[] };
  const [first, second] = llm;
  expect(llm).toEqual([
    { name: 'anthropic', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/llm\/anthropic\/[\w-]{22}$/) },
    { name: 'other', url: expect.stringMatching(/\/llm\/other\/0123456789012345678901$/) },
  ]);
  return { url: first?.url ?? '', other: second?.url ?? '' };
}

async function ask(base: string, path = '/v1/messages'): Promise<string> {
  const body = JSON.stringify({ model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Do it.' }] });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-ant-api03-key-of-the-user' };
  return (await fetch(`${base}${path}`, { method: 'POST', headers, body })).text();
}

describe('hazard 1: an LLM provider behind clawai serve', () => {
  it('has a URL, and gives only what the policy allows', async () => {
    const { url, other } = await serve();
    for (const base of [url, other]) {
      const answer = await ask(base);
      expect(answer).toMatch(/\[clawai blk_[\w-]{16}\] clawai denied the tool call/);
      expect(answer).not.toContain('toolu_1');
    }
    const calls = sandbox.current.decided();
    expect(calls).toMatchObject([
      { type: 'mcp_tool_call_intercepted', action: 'block' },
      { type: 'mcp_tool_call_intercepted', action: 'block' },
    ]);
    // Each provider's URL is a session of its own.
    expect(new Set(calls.map((event) => event['session_id'])).size).toBe(2);
    const metrics = await serving?.metrics();
    expect(metrics?.get('clawai_llm_requests_total{provider="anthropic"}')).toBe(1);
    expect(metrics?.get('clawai_llm_requests_total{provider="other"}')).toBe(1);
    expect(serving?.said()).toEqual([]);
  });

  it('hazard 33: is asked by the path and the query that the client sent, behind its own', async () => {
    const { url, other } = await serve();
    await ask(url, '/v1/messages?beta=true');
    await fetch(`${other}/v1/files/a%20b%C3%A4/x?y=%2F`);
    await fetch(other);
    expect(mock.requests.map((request) => request.url)).toEqual([
      '/team%20a/v1/messages?key=k&beta=true',
      '/v1/files/a%20b%C3%A4/x?y=%2F',
      '/',
    ]);
  });

  it('is not there under another secret or name, and nothing is said of what is', async () => {
    const { url, other } = await serve();
    const wrong = [
      url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      other.replace('/other/', '/anthropic/'),
      url.replace(/\/[^/]+$/, ''),
      url.replace('/llm/', '/mcp/'),
    ];
    for (const base of wrong) {
      const { status } = await fetch(`${base}/v1/messages`, { method: 'POST', body: '{}' });
      expect(status).toBe(404);
    }
    expect(mock.requests).toEqual([]);
  });

  it('is shown by clawai status', async () => {
    const { url } = await serve();
    const { current } = sandbox;
    const environment = { ...current.env, CLAWAI_CONFIG: current.path('config.toml') };
    const status = async (...flags: readonly string[]): Promise<string> => {
      const running = new Running(current.command('status', ...flags), { env: environment, cwd: current.folder });
      return (await running.close()).stdout;
    };
    expect(JSON.parse(await status('--json'))).toMatchObject({
      llm_providers: [{ provider: 'anthropic', local_url: url, url: expect.not.stringContaining('=k') }, { provider: 'other' }],
    });
    expect(await status()).toMatch(
      /\nLLM provider anthropic: http:\/\/127\.0\.0\.1:\d+\/team%20a\/\?key=\S+, through `clawai serve`\n/,
    );
  });

  it('is passed through where the config says so, which is said once', async () => {
    const { url } = await serve('[llm]\nmode = "disabled"\n');
    expect(await ask(url)).toContain('toolu_1');
    expect(await ask(url)).toContain('toolu_1');
    expect(sandbox.current.decided()).toEqual([]);
    expect(serving?.said()).toEqual(['clawai: llm.mode is "disabled": what models call is neither decided nor recorded']);
  });

  it('lets a call stream on that no rule and no guard needs the arguments of, and no other', async () => {
    mock.calls = [
      { id: 'toolu_plan', name: 'TodoWrite', input: { todos: [{ content: 'clawai unwrap', status: 'pending' }] } },
      { id: 'toolu_count', name: 'mcp__s__count', input: { n: 1 } },
      { id: 'toolu_read', name: 'Read', input: { file_path: '/tmp/a' } },
    ];
    const schema = { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false };
    const tools = [
      { name: 'mcp__s__count', input_schema: schema },
      ...['TodoWrite', 'Read'].map((name) => ({ name, input_schema: {} })),
    ];
    const body = JSON.stringify({
      model: 'm',
      max_tokens: 9,
      stream: true,
      tools,
      messages: [{ role: 'user', content: 'Do it.' }],
    });
    const headers = {
      'user-agent': 'claude-cli/2.1.330 (external, cli)',
      'x-claude-code-session-id': 'a',
      'content-type': 'application/json',
    };
    const { url } = await serve('', '[defaults]\naction = "allow"\nunmapped_tool = "allow"\n');
    // The provider goes no further than the arguments of each in turn; its call is not complete by then.
    for (const [behind, streamed] of [
      ['clawai unwrap', 'clawai unwrap'],
      ['{\\"n\\":1}', '{\\"n\\":1}'],
      ['/tmp/a', 'toolu_count'],
    ] as const) {
      mock.stalledBehind = behind;
      const leaving = new AbortController();
      const answer = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body, signal: leaving.signal });
      let text = '';
      for await (const chunk of answer.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes(streamed)) break;
      }
      expect(text).toContain(streamed);
      expect(text).not.toContain('toolu_read');
      leaving.abort();
    }
  });
});
