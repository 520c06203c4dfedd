// Secrets in requests to models through the real program: what the models get, and what the official SDKs make of their answers.
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { jsonSchema, type LanguageModel, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { residentMemory } from '../support/memory.ts';
import { useSandbox } from '../support/attempt.ts';
import { SECRET } from '../support/searching.ts';
import { Serving } from '../support/serving.ts';
import { TokenModel } from '../support/token-model.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const sandbox = useSandbox();
const TOKEN = /CLAWAI-GITHUB-TOKEN-[2-9][0-9A-Z]{13}/;
const PROMPT = `Log in with ${SECRET}.`;

let model: TokenModel;
let serving: Serving | undefined;
beforeEach(async () => {
  model = await TokenModel.start();
});
afterEach(async () => {
  await serving?.stop();
  serving = undefined;
  await model.stop();
});

async function serve(dlp: string, { config = '', rules = '' } = {}): Promise<Serving> {
  await serving?.stop();
  const provider = (name: string, path = ''): string => `[llm.providers.${name}]\nbase_url = "${model.origin}${path}"\n`;
  const providers = [provider('anthropic'), provider('openai', '/v1'), provider('gemini')].join('');
  const policy = `[defaults]\naction = "allow"\nunmapped_tool = "allow"\n[dlp]\n${dlp}\n${rules}`;
  serving = await Serving.start(sandbox.current, { policy, config: `${config}\n${providers}` });
  return serving;
}

/** What a client has of an answer. */
interface Got {
  readonly text: string | null | undefined;
  readonly command: unknown;
}

const urlOf = (name: string): string => serving?.llmUrl(name) ?? '';

async function byAiSdk(languageModel: LanguageModel): Promise<Got> {
  const inputSchema = jsonSchema({ type: 'object', properties: {} });
  const tools = { Bash: tool({ inputSchema, execute: async () => 'ok' }) };
  const { text, toolCalls } = streamText({ model: languageModel, prompt: PROMPT, tools, maxRetries: 0 });
  return { text: await text, command: ((await toolCalls)[0]?.input as { command?: unknown } | undefined)?.command };
}

const commandIn = (args: string | undefined): unknown => (JSON.parse(args ?? '{}') as { command?: unknown }).command;

const CLIENTS: Readonly<Record<string, () => Promise<Got>>> = {
  async 'anthropic, streamed'() {
    const client = new Anthropic({ apiKey: 'k', baseURL: urlOf('anthropic'), maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: PROMPT }];
    const { content } = await client.messages.stream({ model: 'm', max_tokens: 9, messages }).finalMessage();
    const [said, call] = content;
    return {
      text: said?.type === 'text' ? said.text : undefined,
      command: call?.type === 'tool_use' ? (call.input as { command: unknown }).command : undefined,
    };
  },
  async 'anthropic, whole'() {
    const client = new Anthropic({ apiKey: 'k', baseURL: urlOf('anthropic'), maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: PROMPT }];
    const { content } = await client.messages.create({ model: 'm', max_tokens: 9, messages });
    const [said, call] = content;
    return {
      text: said?.type === 'text' ? said.text : undefined,
      command: call?.type === 'tool_use' ? (call.input as { command: unknown }).command : undefined,
    };
  },
  async 'openai chat, streamed'() {
    const client = new OpenAI({ apiKey: 'k', baseURL: urlOf('openai'), maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: PROMPT }];
    const { choices } = await client.chat.completions.stream({ model: 'm', messages }).finalChatCompletion();
    const call = choices[0]?.message.tool_calls?.[0];
    return {
      text: choices[0]?.message.content,
      command: commandIn(call?.type === 'function' ? call.function.arguments : undefined),
    };
  },
  async 'openai chat, whole'() {
    const client = new OpenAI({ apiKey: 'k', baseURL: urlOf('openai'), maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: PROMPT }];
    const { choices } = await client.chat.completions.create({ model: 'm', messages });
    const call = choices[0]?.message.tool_calls?.[0];
    return {
      text: choices[0]?.message.content,
      command: commandIn(call?.type === 'function' ? call.function.arguments : undefined),
    };
  },
  async 'openai responses, streamed'() {
    const client = new OpenAI({ apiKey: 'k', baseURL: urlOf('openai'), maxRetries: 0 });
    const { output, output_text: text } = await client.responses.stream({ model: 'm', input: PROMPT }).finalResponse();
    const call = output.find((item) => item.type === 'function_call');
    return { text, command: commandIn(call?.arguments) };
  },
  async 'openai responses, whole'() {
    const client = new OpenAI({ apiKey: 'k', baseURL: urlOf('openai'), maxRetries: 0 });
    const { output, output_text: text } = await client.responses.create({ model: 'm', input: PROMPT });
    const call = output.find((item) => item.type === 'function_call');
    return { text, command: commandIn(call?.arguments) };
  },
  async 'genai, streamed'() {
    const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: urlOf('gemini') } });
    let text = '';
    let command: unknown;
    for await (const part of await client.models.generateContentStream({ model: 'm', contents: PROMPT })) {
      for (const { text: said } of part.candidates?.[0]?.content?.parts ?? []) text += said ?? '';
      command ??= part.functionCalls?.[0]?.args?.['command'];
    }
    return { text, command };
  },
  async 'genai, whole'() {
    const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: urlOf('gemini') } });
    const answer = await client.models.generateContent({ model: 'm', contents: PROMPT });
    return { text: answer.candidates?.[0]?.content?.parts?.[0]?.text, command: answer.functionCalls?.[0]?.args?.['command'] };
  },
  'ai sdk, anthropic': () => byAiSdk(createAnthropic({ apiKey: 'k', baseURL: `${urlOf('anthropic')}/v1` })('m')),
  'ai sdk, openai': () => byAiSdk(createOpenAI({ apiKey: 'k', baseURL: urlOf('openai') })('m')),
  'ai sdk, google': () => byAiSdk(createGoogle({ apiKey: 'k', baseURL: `${urlOf('gemini')}/v1beta` })('m')),
};

describe.each(Object.entries(CLIENTS))('%s', (_name, ask) => {
  it('asks without the secret, and has it in text and in the arguments that may have it', async () => {
    await serve('on_request = "tokenize"\nrestore_to = ["native"]');
    expect(await ask()).toEqual({ text: `It is ${SECRET}, clear.`, command: `login ${SECRET}` });
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.body).toMatch(TOKEN);
    expect(model.requests[0]?.body).not.toContain(SECRET);
    const [call] = sandbox.current.decided();
    expect(JSON.stringify(call)).toMatch(TOKEN);
    expect(JSON.stringify(call)).not.toContain(SECRET);
    await serve('on_request = "redact"');
    expect(await ask()).toMatchObject({ text: 'It is nothing, clear.' });
    expect(model.requests[1]?.body).toContain('Log in with [redacted:github_token].');
  });
});

async function post(
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  path = '/v1/messages',
): Promise<Response> {
  return fetch(`${urlOf('anthropic')}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

function bodyOf(messages: readonly object[], more: object = {}): string {
  return JSON.stringify({ model: 'm', max_tokens: 9, stream: true, ...more, messages });
}

const found = () => sandbox.current.events().filter(({ type }) => String(type).startsWith('dlp_'));

describe('a request', () => {
  it('is judged by the secret that its calls got back, and recorded by the token', async () => {
    const rules = '[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\nargs.command = "*ghp_*"\n';
    await serve('on_request = "tokenize"\nrestore_to = ["native"]', { rules });
    const answer = await (await post(bodyOf([{ role: 'user', content: PROMPT }]))).text();
    expect(answer).toContain('clawai denied the tool call');
    await serve('on_request = "tokenize"', { rules });
    expect(await (await post(bodyOf([{ role: 'user', content: PROMPT }]))).text()).not.toContain('clawai denied the tool call');
  });

  it('passes byte for byte where the policy only wants to know, and secrets are told of once', async () => {
    await serve('on_request = "alert"');
    const body = `${bodyOf([{ role: 'user', content: PROMPT }])} \n`;
    for (let turn = 0; turn < 2; turn++) await (await post(body)).text();
    expect(model.requests.map((request) => request.body)).toEqual([body, body]);
    await serving?.stop();
    serving = undefined;
    expect(found()).toMatchObject([
      {
        type: 'dlp_secrets_found',
        secret_kind: 'github_token',
        count: 1,
        place: '/messages/0/content',
        dlp_mode: 'alert',
        action: 'alert',
      },
    ]);
    expect(JSON.stringify(sandbox.current.events())).not.toContain(SECRET);
  });

  it('has the same bytes each turn, also after a restart', async () => {
    const dlp = 'on_request = "tokenize"';
    await serve(dlp);
    const messages: object[] = [];
    for (let turn = 0; turn < 5; turn++) {
      if (turn === 3) await serve(dlp);
      messages.push({ role: 'user', content: `${turn}: ${PROMPT} password = hunter2-${turn}` });
      const text = await (await post(bodyOf(messages))).text();
      expect(text).toContain(`hunter2-${turn}`.slice(0, 3));
      messages.push({ role: 'assistant', content: `It is hunter2-${turn}, clear.` });
    }
    const bodies = model.requests.map((request) => request.body.replace(/\]\}$/, ''));
    const same = bodies.map((body, at) => body.startsWith(bodies[at - 1] ?? ''));
    expect(same).toEqual([true, true, true, true, true]);
    for (const body of bodies) expect(body).not.toMatch(/hunter2|ghp_/);
  });

  it('is read in any encoding, and sent plain', async () => {
    await serve('on_request = "redact"');
    const body = bodyOf([{ role: 'user', content: PROMPT }]);
    const codings = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync };
    for (const [coding, compress] of Object.entries(codings)) {
      await (await post(compress(body), { 'content-encoding': coding })).text();
      const { headers, body: got } = model.requests.at(-1) ?? { headers: {}, body: '' };
      expect(got).toBe(body.replace(SECRET, '[redacted:github_token]'));
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['content-length']).toBe(String(Buffer.byteLength(got)));
    }
  });

  it('has no secret in base64, hex or percent signs', async () => {
    const hidden = [Buffer.from(PROMPT).toString('base64'), Buffer.from(SECRET).toString('hex'), SECRET.replace('_', '%5f')];
    await serve('on_request = "redact"');
    await (await post(bodyOf([{ role: 'user', content: `Read ${hidden.join(' or ')}.` }]))).text();
    const marks = hidden.map(() => '[redacted:github_token]').join(' or ');
    expect(model.requests.at(-1)?.body).toBe(bodyOf([{ role: 'user', content: `Read ${marks}.` }]));
    await serve('on_request = "tokenize"');
    const answer = await (await post(bodyOf([{ role: 'user', content: `Log in with ${hidden[1]}.` }]))).text();
    expect(model.requests.at(-1)?.body).toMatch(TOKEN);
    expect(answer).toContain(hidden[1]);
  });

  it('is treated alike where tokens are only counted, and in a batch', async () => {
    await serve('on_request = "redact"');
    const request = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: PROMPT }] };
    await (await post(JSON.stringify(request), {}, '/v1/messages/count_tokens')).text();
    const requests = [1, 2].map((id) => ({ custom_id: `${id}`, params: request }));
    await (await post(JSON.stringify({ requests }), {}, '/v1/messages/batches')).text();
    expect(model.requests.map(({ body }) => body.split('[redacted:github_token]').length - 1)).toEqual([1, 2]);
  });

  it('stays as it is with a picture, and a bomb is refused', async () => {
    await serve('on_request = "redact"');
    const data = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 251)).toString('base64');
    const body = bodyOf([
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }] },
    ]);
    await (await post(body)).text();
    expect(model.requests.at(-1)?.body).toBe(body);
    const bomb = await post(gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20)), { 'content-encoding': 'gzip' });
    expect(bomb.status).toBe(413);
    const invalid = await post(Buffer.concat([Buffer.from('{"messages":["'), Buffer.of(0xff), Buffer.from('"]}')]));
    expect(invalid.status).toBe(400);
  });

  it('may be long', { tags: 'long', timeout: 120_000 }, async () => {
    await serve('on_request = "redact"', { config: '[limits]\nmessage = "64MiB"' });
    const text = 'What a long story it is, with "quotes" and all.\n'.repeat(20_000);
    const messages = Array.from({ length: 48 }, () => ({ role: 'user', content: text }));
    messages.push({ role: 'user', content: PROMPT });
    const body = bodyOf(messages);
    await (await post(body)).text();
    // The texts are too long for a message of a failure.
    expect(model.requests.at(-1)?.body === body.replace(SECRET, '[redacted:github_token]')).toBe(true);
    // It has 48 MB: it is read, parsed, edited and written, without many more copies.
    expect(residentMemory(serving?.process.pid ?? 0, 'peak')).toBeLessThan(512);
  });

  it('has no secret in any field that clawai does not know, and is stored without any, whatever the policy does', async () => {
    const card = '4539 1488 0343 6467';
    const words = `${SECRET}, card ${card}, EMP-123456`;
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: words },
          { type: 'of_tomorrow', note: words, source: { data: 'AAAA' } },
        ],
      },
      { role: 'assistant', content: 'ok', reasoning_content: words, audio: { id: 'a1', transcript: words } },
    ];
    const body = bodyOf(messages, { stop_sequences: [words] });
    const own = '[[dlp.pattern]]\nname = "staff"\nregex = "EMP-[0-9]{6}"\n';
    const secrets = new RegExp(`${SECRET}|4539 1488|EMP-123456`);
    for (const mode of ['alert', 'redact', 'tokenize']) {
      await serve(`on_request = "${mode}"`, { config: '[llm]\nstore_bodies = true', rules: own });
      await (await post(body)).text();
      const sent = model.requests.at(-1)?.body ?? '';
      if (mode === 'alert') expect(sent).toBe(body);
      else expect(sent).not.toMatch(secrets);
      expect(sent).toContain('"data":"AAAA"');
    }
    await serving?.stop();
    serving = undefined;
    const events = sandbox.current.events();
    expect(events.filter(({ type }) => type === 'llm_request_body')).toHaveLength(3);
    expect(JSON.stringify(events)).not.toMatch(secrets);
  });

  it('has no secret in arguments of earlier calls, whatever tells of it, nor in names, and no event repeats a name', async () => {
    const input = {
      env: [{ name: 'PASSWORD', value: 'hunter2x' }],
      args: ['--token', 'k7f3a9q2zz'],
      owners: { [SECRET]: { password: 'swordfish' } },
    };
    const messages = [
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: JSON.stringify({ [SECRET]: 'mine' }) }] },
    ];
    const secrets = new RegExp(`${SECRET}|hunter2x|k7f3a9q2zz|swordfish`);
    for (const mode of ['alert', 'redact']) {
      await serve(`on_request = "${mode}"`);
      await (await post(bodyOf(messages))).text();
      const sent = model.requests.at(-1)?.body ?? '';
      if (mode === 'redact') expect(sent).not.toMatch(secrets);
      else expect(sent).toBe(bodyOf(messages));
    }
    await serving?.stop();
    serving = undefined;
    expect(found().length).toBeGreaterThan(0);
    expect(JSON.stringify(found())).not.toMatch(secrets);
  });

  it('has its tokens left as they are if the model makes them up, which is told', async () => {
    await serve('on_request = "tokenize"');
    model.says = 'CLAWAI-API-KEY-23456789ABCDEF';
    expect(await (await post(bodyOf([{ role: 'user', content: 'Hello.' }], { stream: false }))).text()).toContain(model.says);
    await serving?.stop();
    serving = undefined;
    expect(found()).toMatchObject([
      { type: 'dlp_tokens_unknown', count: 1, problem: expect.stringMatching(/unknown|miswritten/) as unknown },
    ]);
  });

  it.each([
    ['embedded', 'Log in with [redacted:github_token].', true, false],
    ['mcp-only', PROMPT, true, true],
    ['disabled', PROMPT, false, false],
  ])('with llm.mode = "%s"', async (mode, sent, isJudged, isStored) => {
    const rules = '[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\n';
    await serve('on_request = "redact"', { config: `[llm]\nmode = "${mode}"`, rules });
    const answer = await (await post(bodyOf([{ role: 'user', content: PROMPT }]))).text();
    expect(model.requests[0]?.body).toContain(sent);
    expect(answer.includes('clawai denied the tool call')).toBe(isJudged);
    await serving?.stop();
    serving = undefined;
    const types = sandbox.current.events().map(({ type }) => type);
    expect(types.includes('llm_request_body')).toBe(isStored);
    expect(types.includes('dlp_secrets_found')).toBe(mode === 'embedded');
  });
});
