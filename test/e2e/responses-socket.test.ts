// OpenAI's Responses API over a WebSocket, through the real program: a plain client, OpenAI's SDK and an agent of clawai run.
import { mkdirSync, writeFileSync } from 'node:fs';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, custom, message } from '../support/response-events.ts';
import { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';
import { SECRET } from '../support/searching.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { type Frame, itemsIn, SocketClient, SocketModel } from '../support/web-socket.ts';

const sandbox = useSandbox();

const POLICY = `[defaults]
action = "allow"
[[rule]]
id = "no-rm"
action = "deny"
server = "native"
tool = "Bash"
args.command = "**rm -r**"
`;
const READ = call('read', '{"path":"/a"}');
const RM = call('Bash', '{"command":"rm -r build"}');
const NOTE = /^\[clawai blk_[\w-]{16}\] clawai denied the tool call "Bash" \(rule "no-rm"[,)]/;
const noted = { type: 'message', content: [{ text: expect.stringMatching(NOTE) as string }] };

let model: SocketModel;
beforeEach(async () => {
  model = await SocketModel.start();
});
afterEach(() => model.stop());

describe('hazard 1: a WebSocket behind clawai serve', () => {
  let serving: Serving;
  let url = '';
  beforeEach(async () => {
    const config = ['openai', 'anthropic', 'gemini'].map((name) => `[llm.providers.${name}]\nbase_url = "${model.origin}/v1"\n`);
    serving = await Serving.start(sandbox.current, { policy: POLICY, config: config.join('') });
    url = `${serving.llmUrl('openai')}/responses`;
  });
  afterEach(() => serving.stop());

  it('gives only what the policy allows, on record, and the provider is told of what was denied', async () => {
    model.say([READ, RM], [message('Done.')]);
    const client = await SocketClient.open(url, { authorization: 'Bearer sk' });
    const frames = await client.ask();
    expect(itemsIn(frames).whole).toMatchObject([READ, noted]);
    expect(JSON.stringify(frames)).not.toContain('rm -r');
    await client.ask({ previous_response_id: 'resp_1', input: [] });
    expect(model.frames[1]?.['input']).toMatchObject([{ type: 'function_call_output', call_id: RM['call_id'] }]);
    expect(model.opened).toMatchObject([{ url: '/v1/responses', headers: { authorization: 'Bearer sk' } }]);
    client.socket.close();
    expect(sandbox.current.decided()).toMatchObject([
      { dialect: 'openai', action: 'allow', tool_name: 'read', tool_call_id: READ['call_id'] },
      { dialect: 'openai', action: 'block', tool_name: 'Bash', tool_call_id: RM['call_id'], rule: 'no-rm' },
    ]);
  });

  it('asks without the secrets, and gives them back in words', async () => {
    serving.decree('[defaults]\naction = "allow"\n[dlp]\non_request = "tokenize"\n');
    const client = await SocketClient.open(url);
    const asking = { input: `Log in with ${SECRET}.` };
    await until('the policy counts', async () => {
      model.say([message('Well.')]);
      await client.ask(asking);
      return !JSON.stringify(model.frames.at(-1)).includes(SECRET);
    });
    const [token] = /CLAWAI-GITHUB-TOKEN-\w+/.exec(JSON.stringify(model.frames.at(-1))) ?? [];
    model.say([message(`It is ${token}.`)]);
    const frames = JSON.stringify(await client.ask(asking));
    expect(frames).toContain(`It is ${SECRET}.`);
    expect(frames).not.toContain(token);
    client.socket.close();
  });

  it('goes by a policy that changes while it is open', async () => {
    model.say([RM], [RM]);
    const client = await SocketClient.open(url);
    expect(itemsIn(await client.ask()).whole).toMatchObject([noted]);
    serving.decree('[defaults]\naction = "allow"\n');
    await until('the policy counts', async () => {
      model.say([RM]);
      return itemsIn(await client.ask()).whole[0]?.['type'] === 'function_call';
    });
    serving.decree(POLICY);
    await until('the policy counts again', async () => {
      model.say([RM]);
      return itemsIn(await client.ask()).whole[0]?.['type'] === 'message';
    });
    client.socket.close();
  });

  it('is open to nobody without the secret, nor to pages, nor at providers of other APIs', async () => {
    expect(await SocketClient.refused(url.replace(/[\w-]{22}/, 'x'.repeat(22)))).toMatchObject({ status: 404 });
    expect(await SocketClient.refused(url, { origin: 'https://evil.example' })).toMatchObject({ status: 403 });
    expect(await SocketClient.refused(url, { host: 'evil.example' })).toMatchObject({ status: 403 });
    for (const name of ['anthropic', 'gemini'])
      expect(await SocketClient.refused(`${serving.llmUrl(name)}/responses`)).toMatchObject({ status: 426 });
    expect(model.opened).toEqual([]);
  });

  it('leaves other requests to switch alone, as HTTP has it', async () => {
    const body = { model: 'm', input: 'x' };
    const headers = { connection: 'upgrade', upgrade: 'h2c', 'content-type': 'application/json' };
    const { request } = await import('node:http');
    const asking = request(url, { method: 'POST', headers });
    asking.end(JSON.stringify(body));
    const status = await new Promise((resolve) => asking.once('response', (response) => resolve(response.resume().statusCode)));
    expect(status).toBe(404);
    expect(model.opened).toEqual([]);
  });

  it('closes when clawai stops, at once without an open answer', async () => {
    const client = await SocketClient.open(url);
    const started = performance.now();
    const { code } = await serving.stop();
    expect(await client.closed).toEqual({ code: 1001, reason: 'clawai is shutting down' });
    expect(code).toBe(0);
    expect(performance.now() - started).toBeLessThan(20_000);
    await until('the provider is told', () => model.closed.length === 1);
  });

  it("is what OpenAI's SDK takes it for", async () => {
    const PATCH = custom('apply_patch', '*** Begin Patch\n*** End Patch');
    model.say([message('So.'), READ, RM, PATCH], [message('Done.')]);
    const client = new OpenAI({ baseURL: serving.llmUrl('openai'), apiKey: 'sk' });
    const socket = new ResponsesWS(client);
    const events: Frame[] = [];
    socket.on('event', (event) => events.push(event as unknown as Frame));
    const errors: unknown[] = [];
    socket.on('error', (error) => errors.push(error));
    const ask = async (input: string, previous?: string): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      socket.once('response.completed', resolve);
      socket.send({ type: 'response.create', model: 'm', input, ...(previous && { previous_response_id: previous }) });
      await promise;
    };
    await ask('Do it.');
    expect(itemsIn(events).whole).toMatchObject([message('So.'), READ, noted, PATCH]);
    expect(itemsIn(events).begun.map(({ type }) => type)).toEqual(['message', 'function_call', 'message', 'custom_tool_call']);
    await ask('Go on.', 'resp_1');
    expect(model.frames[1]?.['input']).toMatchObject([{ call_id: RM['call_id'] }, { role: 'user', content: 'Go on.' }]);
    socket.close();
    expect(errors).toEqual([]);
  });
});

describe('hazard 1: a WebSocket of an agent that clawai run starts', () => {
  it('is guarded and counted', async () => {
    const { current } = sandbox;
    mkdirSync(current.path('config/clawai'), { recursive: true });
    writeFileSync(current.path('config/clawai/policy.toml'), POLICY);
    model.say([], [READ, RM], [message('Done.')]);
    const command = current.command('run', '--session', 'nightly', '--', process.execPath, support('socket-agent.mjs'));
    const { stdout, stderr } = await new Running(command, {
      env: { ...current.env, OPENAI_BASE_URL: `${model.origin}/v1`, OPENAI_API_KEY: 'sk' },
      cwd: current.folder,
    }).close();
    expect(JSON.parse(stdout)).toMatchObject({ turns: [[], [READ, noted], [message('Done.')]], code: 1000 });
    expect(stderr).toContain('checked 3 requests to the model');
    expect(stderr).toContain('2 calls by the model, 1 denied');
    expect(model.frames[2]).toMatchObject({ previous_response_id: 'resp_2', input: [{ call_id: RM['call_id'] }] });
    expect(current.decided()).toMatchObject([
      { action: 'allow', session_id: 'nightly' },
      { action: 'block', session_id: 'nightly' },
    ]);
  });
});
