import type { ServerResponse } from 'node:http';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import fc from 'fast-check';
import OpenAI from 'openai';
import OpenAI4 from 'openai-4';
import OpenAI6 from 'openai-6';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openaiApi } from '../../src/protocol/llm/openai/api.ts';
import {
  begin,
  callChunks,
  type CallPlan,
  chunk,
  DONE,
  finish,
  part,
  said as saidChunk,
  stream,
  usage,
  USAGE,
} from '../support/chat-chunks.ts';
import { ALLOW, answerJson, answerStream, denyNative, runLlm, type RunningLlm } from '../support/llm-route.ts';
import { runs } from '../support/runs.ts';

// What clients make of the answers that we give them: they are the packages that agents are built on, and ask a model through the real route.

const READ: CallPlan = { id: 'call_A', name: 'read', args: '{"path":"/a","n":[1,{"é":"🏔"}]}' };
const WRITE: CallPlan = { id: 'call_B', name: 'write', args: '{"to":"/b"}' };
const SHADOW: CallPlan = { id: 'call_C', name: 'read', args: '{"path":"/etc/shadow"}' };
const NOTHING: CallPlan = { id: 'call_D', name: 'write', args: '' };

/** Reading below `/etc` is denied, and so is all that `forbidden` does. */
const POLICY = `${ALLOW}${denyNative('read', 'args.path = "/etc/**"')}${denyNative('forbidden')}`;
const FORBIDDEN: CallPlan = { id: 'call_F', name: 'forbidden', args: '{"x":"Q7zX"}' };

/** What a client is to have of a model's answer. */
interface Expected {
  readonly content: string | null | RegExp;
  readonly calls: readonly CallPlan[];
  readonly finish: string;
}

interface Said {
  readonly words: string;
  readonly calls: readonly CallPlan[];
  readonly expected: Expected;
}

const NOTE = String.raw`\[clawai blk_[\w-]{16}\] .*denied the tool call "\w+"[^\n]*`;
const noted = (before: string, times = 1): RegExp => new RegExp(`^${before}${NOTE}(?:\n\n${NOTE}){${times - 1}}$`);

const ANSWERS: Readonly<Record<string, Said>> = {
  text: { words: 'Well, a\u2028b.', calls: [], expected: { content: 'Well, a\u2028b.', calls: [], finish: 'stop' } },
  allowed: { words: '', calls: [READ, WRITE], expected: { content: null, calls: [READ, WRITE], finish: 'tool_calls' } },
  'without arguments': {
    words: '',
    calls: [NOTHING],
    expected: { content: null, calls: [NOTHING], finish: 'tool_calls' },
  },
  denied: { words: '', calls: [SHADOW], expected: { content: noted(''), calls: [], finish: 'stop' } },
  'denied by name': { words: '', calls: [FORBIDDEN], expected: { content: noted(''), calls: [], finish: 'stop' } },
  'all denied': {
    words: 'So.',
    calls: [SHADOW, FORBIDDEN],
    expected: { content: noted('So\\.\n\n', 2), calls: [], finish: 'stop' },
  },
  'the first denied': {
    words: 'So.',
    calls: [SHADOW, READ, WRITE],
    expected: { content: noted('So\\.\n\n'), calls: [READ, WRITE], finish: 'tool_calls' },
  },
  'the middle one denied': {
    words: '',
    calls: [READ, FORBIDDEN, WRITE],
    expected: { content: noted(''), calls: [READ, WRITE], finish: 'tool_calls' },
  },
};

/** Streams by the names of the models that say them. */
const streams = new Map<string, string>(
  Object.entries(ANSWERS).map(([model, { words, calls }]) => [model, stream(words, calls)]),
);

function answerWhole({ words, calls, expected }: Said): object {
  const message = {
    role: 'assistant',
    content: words === '' ? null : words,
    refusal: null,
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } })) }),
  };
  const reason = calls.length > 0 ? 'tool_calls' : expected.finish;
  const choices = [{ index: 0, message, logprobs: null, finish_reason: reason }];
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm-1', choices, usage: USAGE };
}

let route: RunningLlm;
let baseURL = '';

function answer({ body }: { readonly body: Buffer }, response: ServerResponse): void {
  const asked = JSON.parse(body.toString()) as { model: string; stream?: boolean };
  if (asked.stream === true) answerStream(response, streams.get(asked.model) ?? '');
  else answerJson(response, answerWhole(ANSWERS[asked.model] as Said));
}

beforeAll(async () => {
  route = await runLlm({ api: openaiApi, policy: POLICY, path: '/v1', answer });
  baseURL = route.url;
});
afterAll(() => route.close());

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: string;
    readonly function: { name: string; arguments: string };
  }[];
}

interface Completion {
  readonly choices: readonly { readonly message: Message; readonly finish_reason: string }[];
  readonly usage?: unknown;
}

/** The same of each of the majors, whose types differ. */
interface Client {
  readonly chat: { readonly completions: { create(body: object): Promise<Completion> } };
}
interface StreamingClient {
  readonly chat: { readonly completions: { stream(body: object): { finalChatCompletion(): Promise<Completion> } } };
}
const options = () => ({ baseURL, apiKey: 'none', maxRetries: 0 });
const CLIENTS: Readonly<Record<string, () => unknown>> = {
  '7.57': () => new OpenAI(options()),
  '6.49': () => new OpenAI6(options()),
  // Its streams are those of what was called `beta` then.
  '4.104': () => {
    const client = new OpenAI4(options());
    return {
      chat: {
        completions: {
          create: client.chat.completions.create.bind(client.chat.completions),
          stream: client.beta.chat.completions.stream.bind(client.beta.chat.completions),
        },
      },
    };
  },
};

const cases = Object.keys(CLIENTS).flatMap((version) => Object.keys(ANSWERS).map((model) => ({ version, model })));
const MESSAGES = [{ role: 'user', content: 'hi' }];

async function ask(version: string, model: string, isStreamed: boolean): Promise<Completion> {
  const client = CLIENTS[version]?.();
  if (!isStreamed) return (client as Client).chat.completions.create({ model, messages: MESSAGES });
  return (client as StreamingClient).chat.completions.stream({ model, messages: MESSAGES }).finalChatCompletion();
}

/** What a client has of an answer. */
function made({ choices, usage: used }: Completion): object {
  const [choice] = choices;
  const text = choice?.message.content ?? null;
  return {
    content: text === '' ? null : text,
    calls: (choice?.message.tool_calls ?? []).map(({ id, type, function: { name, arguments: args } }) => ({
      id,
      type,
      name,
      args,
    })),
    end: [choice?.finish_reason, choice?.message.role],
    used,
    hasDenied: /shadow|Q7zX/.test(JSON.stringify(choice)),
  };
}

function meant({ content, calls, finish: reason }: Expected): object {
  return {
    content: content instanceof RegExp ? expect.stringMatching(content) : content,
    calls: calls.map(({ id, name, args }) => ({ id, type: 'function', name, args })),
    end: [reason, 'assistant'],
    used: USAGE,
    hasDenied: false,
  };
}

describe.each(cases)('openai $version, $model', ({ version, model }) => {
  const { expected } = ANSWERS[model] as Said;

  it('has the message that we meant, streamed', async () => {
    expect(made(await ask(version, model, true))).toEqual(meant(expected));
  });

  it('has the message that we meant, whole', async () => {
    expect(made(await ask(version, model, false))).toEqual(meant(expected));
  });
});

describe.each(Object.entries(ANSWERS))('@ai-sdk/openai, %s', (model, { expected }) => {
  const run: string[] = [];
  const noting = (name: string) =>
    tool({
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: (input) => run.push(`${name} ${JSON.stringify(input)}`),
    });
  const tools = { read: noting('read'), write: noting('write'), forbidden: noting('forbidden') };
  const sdk = () => ({ model: createOpenAI({ baseURL, apiKey: 'none' }).chat(model), prompt: 'hi', tools, maxRetries: 0 });
  const left = expected.calls.map(({ name, args }) => `${name} ${JSON.stringify(JSON.parse(args === '' ? '{}' : args))}`);
  const text = expected.content instanceof RegExp ? expect.stringMatching(expected.content) : (expected.content ?? '');

  it('runs what is allowed, streamed', async () => {
    run.length = 0;
    const result = streamText({ ...sdk(), onError: () => {} });
    expect([await result.text, await result.toolCalls.then(({ length }) => length)]).toEqual([text, left.length]);
    expect(run.toSorted()).toEqual(left.toSorted());
    expect(await result.finishReason).toBe(expected.finish.replace('_', '-'));
  });

  it('runs what is allowed, whole', async () => {
    run.length = 0;
    const result = await generateText(sdk());
    expect([result.text, result.finishReason]).toEqual([text, expected.finish.replace('_', '-')]);
    expect(run.toSorted()).toEqual(left.toSorted());
  });
});

describe('any calls, any of them denied, by turns', () => {
  const plan = fc.record({ plan: fc.constantFrom(READ, WRITE, SHADOW, FORBIDDEN), piece: fc.integer({ min: 1, max: 12 }) });

  it.each(Object.keys(CLIENTS))('openai %s has the original without the denied calls and with the notes', async (version) => {
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { maxLength: 5 }), fc.boolean(), async (plans, isInterleaved) => {
        const calls = plans.map(({ plan: { name, args }, piece }, at) => ({ id: `t${at}`, name, args, piece }));
        const lists = calls.map((call, at) => callChunks(at, call));
        const most = Math.max(0, ...lists.map(({ length }) => length));
        const frames = isInterleaved
          ? Array.from({ length: most }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
          : lists.flat();
        const model = `${version} ${turn++}`;
        streams.set(model, [begin(), saidChunk('So.'), ...frames, finish('tool_calls'), usage(), DONE].join(''));
        const isDenied = ({ name, args }: CallPlan): boolean => name === 'forbidden' || args.includes('shadow');
        const left = calls.filter((call) => !isDenied(call));
        const count = calls.length - left.length;
        const expected = {
          content: count === 0 ? 'So.' : noted('So\\.\n\n', count),
          calls: left,
          finish: left.length === 0 && count > 0 ? 'stop' : 'tool_calls',
        };
        expect(made(await ask(version, model, true))).toEqual(meant(expected));
        streams.delete(model);
      }),
      { numRuns: runs(30) },
    );
  });
});

describe('what some providers stream', () => {
  /** By what is odd about them; each has a call that is denied and one that is not. */
  const ODD: Readonly<Record<string, readonly string[]>> = {
    'the calls and the end in one chunk': [
      begin(),
      chunk({ tool_calls: [part(0, SHADOW), part(1, WRITE)] }, { finish: 'tool_calls' }),
    ],
    'everything in one chunk': [
      chunk({ role: 'assistant', content: null, tool_calls: [part(0, SHADOW), part(1, WRITE)] }, { finish: 'tool_calls' }),
    ],
    'a gap in the indices': [begin(), ...callChunks(1, SHADOW), ...callChunks(3, WRITE), finish('tool_calls')],
    'the role beside a call': [
      chunk({ role: 'assistant', content: null, tool_calls: [part(0, SHADOW)] }),
      ...callChunks(1, WRITE),
      finish('tool_calls'),
    ],
    'no indices': [
      begin(),
      ...[SHADOW, WRITE].map(({ id, name, args }) =>
        chunk({ tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] }),
      ),
      finish('tool_calls'),
    ],
    'named events': [begin(), ...callChunks(0, SHADOW), ...callChunks(1, WRITE), finish('tool_calls')].map(
      (each) => `event: message\n${each}`,
    ),
    'pings of another API': [
      'event: ping\ndata: {"type":"ping"}\n\n',
      begin(),
      ...callChunks(0, SHADOW),
      ...callChunks(1, WRITE),
      finish('tool_calls'),
    ],
  };

  const odd = Object.keys(CLIENTS).flatMap((version) => Object.keys(ODD).map((what) => ({ version, what })));

  it.each(odd)('openai $version: $what', async ({ version, what }) => {
    streams.set(what, [...(ODD[what] as readonly string[]), usage(), DONE].join(''));
    expect(made(await ask(version, what, true))).toEqual(meant({ content: noted(''), calls: [WRITE], finish: 'tool_calls' }));
  });
});

describe('an answer that is ended by us, and a request that is refused', () => {
  it.each(Object.keys(CLIENTS))('is an error to openai %s', async (version) => {
    streams.set('broken', `${begin()}data: {"choices":[{"index":0,"delta":{"Tool_Calls":[]}}]}\n\n`);
    await expect(ask(version, 'broken', true)).rejects.toThrow('clawai ended this answer');
    const client = CLIENTS[version]?.();
    await expect((client as Client).chat.completions.create({ model: 'text', messages: MESSAGES, Tools: [] })).rejects.toThrow(
      /400 clawai refused this request/,
    );
  });
});
