import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createGoogle } from '@ai-sdk/google';
import { type CallableTool, type FunctionCall, type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { geminiApi } from '../../src/protocol/llm/gemini/api.ts';
import { NO_SIGNATURE } from '../../src/protocol/llm/gemini/noted-part.ts';
import { accumulateArray } from '../support/gemini-accumulator.ts';
import { call, finish, type GeminiPart, jsonArray, payload, pieces, sse, text, USAGE } from '../support/gemini-events.ts';
import { ALLOW, answerJson, answerStream, type Asked, denyNative, runLlm, type RunningLlm } from '../support/llm-route.ts';
import { runs } from '../support/runs.ts';

// What clients make of the answers that we give them: they are the packages that agents are built on, and ask a model through the real route.

const KEY = 'AIza-key-of-the-user';
/** Reading below `/etc` is denied, and so is all that `forbidden` does. */
const POLICY = `${ALLOW}${denyNative('read', 'args.path = "/etc/**"')}${denyNative('forbidden')}`;
const NOTE = /^\[clawai blk_[\w-]{16}\] .*denied the tool call "\w+"/;

const READ = call('read', { path: '/a', n: [1, { é: '🏔' }] }, { id: 'c1', signature: 'U0lH' });
const SHADOW = call('read', { path: '/etc/shadow' }, { id: 'c2', signature: 'U0lI' });
const WRITE = call('write', { to: '/b' }, { id: 'c3' });
const FORBIDDEN = call('forbidden', {});

/** What the model says, an event each, in turn; the last one for good. */
let turns: (readonly (readonly GeminiPart[])[])[] = [];
/** Milliseconds between two events. */
let pace = 0;
let llm: RunningLlm;
beforeAll(async () => {
  llm = await runLlm({
    api: geminiApi,
    policy: POLICY,
    keepAlive: 20,
    answer: (asked, response) => void answer(asked, response),
  });
});
afterAll(() => llm.close());
beforeEach(() => {
  pace = 0;
  llm.asked.length = 0;
});

async function answer({ url, body }: Asked, response: ServerResponse): Promise<void> {
  if (body.includes('"break"'))
    return answerJson(response, { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } }, 429);
  const events = (turns.length > 1 ? turns.shift() : turns[0]) ?? [];
  const payloads = [...events.map((parts) => payload(parts)), finish()];
  if (!url.includes(':stream')) return answerJson(response, payload(events.flat(), { finishReason: 'STOP' }));
  if (!url.includes('alt=sse')) {
    response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(jsonArray(payloads));
    return;
  }
  if (pace === 0) return answerStream(response, sse(payloads));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const one of payloads) {
    response.write(sse([one]));
    await setTimeout(pace);
  }
  response.end();
}

function genai(): GoogleGenAI {
  return new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: llm.url } });
}

const CASES: readonly {
  readonly what: string;
  readonly events: readonly (readonly GeminiPart[])[];
  readonly made: readonly object[];
}[] = [
  { what: 'text', events: [[text('Well, ')], [text('a\u2028b.')]], made: [text('Well, '), text('a\u2028b.')] },
  { what: 'calls that are allowed', events: [[text('So.')], [READ, WRITE]], made: [text('So.'), READ, WRITE] },
  { what: 'a call that is denied', events: [[SHADOW]], made: [{ text: expect.stringMatching(NOTE), thoughtSignature: 'U0lI' }] },
  {
    what: 'one by its name',
    events: [[text('a'), FORBIDDEN, text('b')]],
    made: [text('a'), { text: expect.stringMatching(NOTE) }, text('b')],
  },
  {
    what: 'one of several, of the same name',
    events: [[SHADOW, WRITE], [READ]],
    made: [{ text: expect.stringMatching(NOTE), thoughtSignature: 'U0lI' }, { ...WRITE, thoughtSignature: NO_SIGNATURE }, READ],
  },
];

/** What is no empty text. */
function partsOf(answers: readonly GenerateContentResponse[]): unknown[] {
  const parts = answers.flatMap(({ candidates = [] }) => candidates.flatMap(({ content }) => content?.parts ?? []));
  return (JSON.parse(JSON.stringify(parts)) as GeminiPart[]).filter((part) => part['text'] !== '');
}

describe.each(CASES)('@google/genai has $what', ({ events, made }) => {
  beforeEach(() => {
    turns = [events];
  });

  it('whole', async () => {
    const answered = await genai().models.generateContent({ model: 'm', contents: 'hi' });
    expect(partsOf([answered])).toEqual(made);
    expect(answered).toMatchObject({ responseId: 'r-1', modelVersion: 'gemini-3-pro', usageMetadata: USAGE });
    expect(answered.functionCalls ?? []).toHaveLength(made.filter((part) => 'functionCall' in part).length);
  });

  it('as a stream', async () => {
    const answers: GenerateContentResponse[] = [];
    for await (const one of await genai().models.generateContentStream({ model: 'm', contents: 'hi' })) answers.push(one);
    expect(partsOf(answers)).toEqual(made);
    expect(answers.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(answers).toHaveLength(events.length + 1);
  });

  it('as an array, by fetch', async () => {
    const answered = await llm.post({ contents: [] }, { 'x-goog-api-key': KEY }, '/v1beta/models/m:streamGenerateContent');
    expect(answered.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    expect(accumulateArray(await answered.text()).candidates[0]).toEqual(made);
  });
});

describe('@google/genai', () => {
  it('hazard 30: keeps what a chat came to, with the note, while a call was held', async () => {
    const held = pieces('read', { id: 'p', path: '$.path', value: '/etc/shadow' });
    turns = [[[text('So.')], ...held.map((part) => [part])], [[text('Well.')]]];
    pace = 40;
    const chat = genai().chats.create({ model: 'm' });
    for await (const one of await chat.sendMessageStream({ message: 'Read it.' })) expect(one.functionCalls).toBeUndefined();
    const [, ...said] = chat.getHistory(true);
    expect(said.map(({ role }) => role)).toEqual(said.map(() => 'model'));
    expect(said.flatMap(({ parts = [] }) => parts).filter((part) => part.text !== '')).toEqual([
      text('So.'),
      { text: expect.stringMatching(NOTE) },
    ]);
    await chat.sendMessage({ message: 'Then?' });
    expect(chat.getHistory()).toHaveLength(said.length + 3);
    // The model is told that it made the call, and what came of it.
    const { contents } = JSON.parse(llm.asked.at(-1)?.body.toString() ?? '') as { contents: { parts: GeminiPart[] }[] };
    const told = contents.flatMap(({ parts }) => parts).filter((part) => part['text'] !== '');
    expect(told).toEqual([
      text('Read it.'),
      text('So.'),
      call('read', { path: '/etc/shadow' }, { id: 'p' }),
      { functionResponse: { id: 'p', name: 'read', response: { error: expect.stringMatching(/^clawai denied/) } } },
      text('Then?'),
    ]);
  });

  it('calls functions by itself, and none that is denied', async () => {
    turns = [[[SHADOW, READ]], [[text('Done.')]]];
    const called: (string | undefined)[] = [];
    const files: CallableTool = {
      tool: () => Promise.resolve({ functionDeclarations: [{ name: 'read' }] }),
      callTool: (calls: FunctionCall[]) => {
        called.push(...calls.map(({ args }) => String(args?.['path'])));
        return Promise.resolve(
          calls.map(({ id = '', name = '' }) => ({ functionResponse: { id, name, response: { output: 'x' } } })),
        );
      },
    };
    const asked = { model: 'm', contents: 'hi', config: { tools: [files] } };
    expect((await genai().models.generateContent(asked)).text).toBe('Done.');
    expect(called).toEqual(['/a']);
    turns = [[[SHADOW], [READ]], [[text('Done.')]]];
    let said = '';
    for await (const one of await genai().models.generateContentStream(asked)) said += one.text ?? '';
    expect(said).toMatch(/Done\.$/);
    expect(called).toEqual(['/a', '/a']);
  });

  it('has an error that says why, where we refuse', async () => {
    await expect(genai().batches.list()).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/clawai refuses GET .*batches: clawai could not see/),
    });
    const other = await llm.post({}, {}, '/v1beta/openai/chat/completions');
    expect([other.status, await other.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }]);
    expect(llm.asked).toEqual([]);
  });

  it("has the provider's own error", async () => {
    const contents = [{ role: 'user', parts: [{ text: 'break' }] }];
    for (const refused of [
      genai().models.generateContent({ model: 'm', contents }),
      genai().models.generateContentStream({ model: 'm', contents }),
    ])
      await expect(refused).rejects.toMatchObject({ status: 429, message: expect.stringContaining('slow down') });
  });

  it('has its key kept by nobody, wherever it was', async () => {
    turns = [[[SHADOW]]];
    await genai().models.generateContent({ model: 'm', contents: 'hi' });
    await llm.post({ contents: [] }, {}, `/v1beta/models/m:generateContent?key=${KEY}`);
    await llm.post('{', {}, `/v1beta/models/m:generateContent?key=${KEY}`);
    expect(llm.asked[0]?.headers['x-goog-api-key']).toBe(KEY);
    expect(llm.asked[1]?.url).toBe(`/v1beta/models/m:generateContent?key=${KEY}`);
    expect(JSON.stringify([llm.records, llm.warnings])).not.toContain('AIza');
  });
});

describe('@ai-sdk/google', () => {
  const model = () => createGoogle({ baseURL: `${llm.url}/v1beta`, apiKey: KEY })('gemini-3-pro');
  const tools = (run: string[]) => ({
    read: tool({
      inputSchema: jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } }),
      execute: ({ path }) => {
        run.push(path);
        return 'x';
      },
    }),
  });

  it.each(['whole', 'stream'] as const)('runs what is allowed, once, and nothing else: %s', async (how) => {
    turns = [[[text('So.')], [SHADOW, READ]], [[text('Done.')]]];
    const run: string[] = [];
    const asked = { model: model(), prompt: 'hi', tools: tools(run), stopWhen: isStepCount(3) };
    const said = how === 'whole' ? (await generateText(asked)).text : await streamText(asked).text;
    expect(said).toBe('Done.');
    expect(run).toEqual(['/a']);
    // The model is told that it made both calls, with the signatures that it gave them, and what came of them.
    const { contents } = JSON.parse(llm.asked.at(-1)?.body.toString() ?? '') as {
      contents: { role: string; parts: GeminiPart[] }[];
    };
    const id = expect.any(String) as unknown;
    expect(contents.slice(1)).toMatchObject([
      {
        role: 'model',
        parts: [text('So.'), SHADOW, READ].map((part) =>
          'functionCall' in part ? { ...part, functionCall: { name: 'read' } } : part,
        ),
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id, name: 'read', response: { error: expect.stringMatching(/^clawai denied/) } } },
          { functionResponse: { name: 'read', response: { content: 'x' } } },
        ],
      },
    ]);
    expect(JSON.stringify(contents)).not.toContain('[clawai');
  });

  it('puts pieces of a call together', async () => {
    const held = pieces('read', { id: 'p', path: '$.path', value: '/a b' });
    turns = [held.map((part) => [part]), [[text('Done.')]]];
    const run: string[] = [];
    expect(await streamText({ model: model(), prompt: 'hi', tools: tools(run), stopWhen: isStepCount(3) }).text).toBe('Done.');
    expect(run).toEqual(['/a b']);
  });
});

it('any parts, any of them denied, over any events: @google/genai has the original without the denied calls', async () => {
  const part = fc.constantFrom(READ, SHADOW, WRITE, FORBIDDEN, text('so'), { text: 'hm', thought: true });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(part, { minLength: 1, maxLength: 3 }), { maxLength: 4 }), async (events) => {
      turns = [events];
      const answers: GenerateContentResponse[] = [];
      for await (const one of await genai().models.generateContentStream({ model: 'm', contents: 'hi' })) answers.push(one);
      const isDenied = (one: object) => one === SHADOW || one === FORBIDDEN;
      const made = partsOf(answers) as GeminiPart[];
      const unsigned = made.map(({ thoughtSignature: _signature, ...rest }) => rest);
      expect(unsigned).toEqual(
        events.flat().map((one) => {
          const { thoughtSignature: _signature, ...rest } = one as Record<string, unknown>;
          return isDenied(one) ? { text: expect.stringMatching(NOTE) } : rest;
        }),
      );
    }),
    { numRuns: runs(60) },
  );
});
