/** @module-tag long */
// However a program spells an API's paths, and whatever base URL is configured: the API has the path that it is asked by, and its calls are decided.
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { EveryModel } from '../support/every-model.ts';
import { post } from '../support/post.ts';
import { Running } from '../support/running.ts';
import { Serving } from '../support/serving.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

const POLICY = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\n';
const DENIED = /\[clawai blk_[\w-]{16}\] clawai denied the tool call/;

/** As the APIs have them: no version twice, and none left out. */
const PATHS = /^(?:\/gw)?\/(?:v1\/(?:messages|responses|chat\/completions|completions)|v1(?:beta)?\/models\/m:\w+)(?:\?|$)/;

let model: EveryModel;
beforeEach(async () => {
  model = await EveryModel.start();
  model.paths = PATHS;
  model.call = { id: 'toolu_1', name: 'Bash', args: { command: 'ls' } };
});
afterEach(() => model.stop());

describe('a base URL of clawai serve', () => {
  let serving: Serving | undefined;
  afterEach(async () => {
    await serving?.stop();
    serving = undefined;
  });

  /** Serves a provider at each of these base paths; its name is the dialect and the number of the path. */
  async function serve(dialect: string, bases: readonly string[]): Promise<readonly string[]> {
    const tables = bases.map(
      (base, at) => `[llm.providers.${dialect}${at}]\ndialect = "${dialect}"\nbase_url = "${model.origin}${base}"`,
    );
    serving = await Serving.start(sandbox.current, { policy: POLICY, config: `${tables.join('\n')}\n` });
    return bases.map((_base, at) => serving?.llmUrl(`${dialect}${at}`) ?? '');
  }

  const MESSAGES = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Do it.' }] });
  const CONTENTS = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Do it.' }] }] });

  it.each([
    ['anthropic', ['', '/v1', '/gw', '/gw/v1/'], ['/messages', '/v1/messages'], MESSAGES],
    ['openai', ['', '/v1', '/gw/v1'], ['/chat/completions', '/v1/chat/completions', '/completions'], MESSAGES],
    ['openai', ['', '/v1', '/gw/v1'], ['/responses', '/v1/responses'], '{"model":"m","input":"Do it."}'],
    ['gemini', ['', '/v1beta', '/gw'], ['/models/m:generateContent', '/v1beta/models/m:generateContent'], CONTENTS],
  ])('of %s', async (dialect, bases, paths, body) => {
    const urls = await serve(dialect, bases);
    for (const [at, url] of urls.entries()) {
      for (const path of paths) {
        const { status, text } = await post(`${url}${path}`, body);
        expect([bases[at], path, status, text]).toEqual([bases[at], path, 200, expect.stringMatching(DENIED)]);
      }
    }
    expect(model.asked).toHaveLength(urls.length * paths.length);
    expect(sandbox.current.decided()).toHaveLength(urls.length * paths.length);
  });

  it('of an API that is at the root of its host, where it is found once it was looked for', async () => {
    model.paths = /^\/(?:chat\/completions|embeddings)$/;
    const [url] = await serve('openai', ['']);
    for (let times = 0; times < 2; times++) expect((await post(`${url}/chat/completions`, MESSAGES)).text).toMatch(DENIED);
    await post(`${url}/embeddings`, '{}');
    expect(model.asked).toEqual(['/v1/chat/completions', '/chat/completions', '/chat/completions', '/embeddings']);
  });

  it('gets nothing that nobody looks at: it is refused, and what would be looked at is said, and the way out', async () => {
    const urls = await serve('anthropic', ['', '/v1/files']);
    for (const url of urls) {
      for (const path of ['/v1/responses', '/responses', '/v1/chat/completions', '/v2/whatever', '/v1/agents']) {
        const { status, text } = await post(`${url}${path}`, MESSAGES);
        expect([path, status]).toEqual([path, 400]);
        const { error } = JSON.parse(text) as { error: { message: string } };
        expect(error.message).toContain(`clawai refuses POST ${path}: clawai could not see what the model calls there`);
        expect(error.message).toMatch(/only inspects \/v1\/messages and its batches\. .* clawai run --no-llm/);
      }
    }
    const headers = { 'x-http-method-override': 'POST' };
    expect((await fetch(`${urls[0]}/v1/agents`, { headers })).status).toBe(400);
    expect((await fetch(`${urls[0]}/v1/agents`, { method: 'PUT', body: '{}' })).status).toBe(400);
    // Nothing is asked so, and who answers all the same is looked at.
    expect((await fetch(`${urls[0]}/v1/messages`)).status).toBe(400);
    expect(model.asked).toEqual([]);
    expect((await fetch(`${urls[0]}/v1/agents`)).status).toBe(404);
    expect(serving?.said()).toContain(
      'clawai: anthropic0: refused POST /v1/agents: clawai could not see what the model calls there',
    );
  });

  it('opens no WebSocket, so that programs ask otherwise', async () => {
    const [url = ''] = await serve('openai', ['/v1']);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime?model=m`);
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.addEventListener('open', () => resolve('open'));
    socket.addEventListener('error', () => resolve('refused'));
    expect(await promise).toBe('refused');
    expect(model.asked).toEqual([]);
    expect(serving?.said()).toContain(
      'clawai: openai0: refused a WebSocket at /realtime: clawai could not see what the model calls there',
    );
  });
});

describe('a program that clawai run starts, which only knows its variables', () => {
  const NAMES = ['ai-sdk anthropic', 'ai-sdk openai', 'ai-sdk responses', 'sdk anthropic', 'sdk openai', 'sdk gemini'];

  it.each([
    ['without a version', '', ''],
    ['with one, and a path', '/gw/v1', '/gw/v1'],
  ])('is guarded where the base URLs there are %s', async (_how, base, openai) => {
    const { current } = sandbox;
    mkdirSync(current.path('config/clawai'), { recursive: true });
    writeFileSync(current.path('config/clawai/policy.toml'), POLICY);
    const key = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' };
    const urls = {
      ANTHROPIC_BASE_URL: model.origin + base,
      OPENAI_BASE_URL: model.origin + openai,
      GOOGLE_GEMINI_BASE_URL: model.origin + base.replace('/v1', ''),
    };
    const command = current.command('run', '--', process.execPath, support('sdk-programs.mjs'), ...NAMES);
    const { stdout } = await new Running(command, { env: { ...current.env, ...key, ...urls }, cwd: current.folder }).close();
    const lines = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual(NAMES.map((name) => ({ name, ran: [], said: expect.stringMatching(DENIED) })));
    expect(sandbox.current.decided().map((event) => event['action'])).toEqual(NAMES.map(() => 'block'));
  });
});
