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

async function serve(more = ''): Promise<{ readonly url: string; readonly other: string }> {
  const config = `${more}
    [llm.providers.anthropic]
    base_url = "${mock.origin}/team%20a/?key=k"
    [llm.providers.other]
    dialect = "anthropic"
    base_url = "${mock.origin}"
    secret = "0123456789012345678901"
  `;
  serving = await Serving.start(sandbox.current, { policy: POLICY, config });
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
});
