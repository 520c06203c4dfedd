import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import Anthropic060 from 'anthropic-sdk-0-60';
import Anthropic100 from 'anthropic-sdk-0-100';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnthropicStream } from '../../src/protocol/llm/anthropic/stream.ts';
import type { NameVerdict } from '../../src/protocol/llm/dialect.ts';
import { accumulateMessage } from '../support/anthropic-accumulator.ts';
import {
  begin,
  type BlockPlan,
  blockEvents,
  callBlock,
  finish,
  frame,
  frames,
  stream,
  textBlock,
  thinkingBlock,
} from '../support/anthropic-events.ts';
import { driveModelStream, type Driving } from '../support/drive-model-stream.ts';
import { runs } from '../support/runs.ts';

// What clients make of the streams that we give them: they are read by the packages that agents are built on.

const NOTE = 'No: a rule is against it.\n\nevent: ping';
const READ = callBlock('toolu_A', 'read', '{"path":"/a","n":[1,{"é":"🏔"}]}');
const ODD = callBlock('toolu_C', 'read', '{"path":"/etc/shadow"}');
const WRITE = callBlock('toolu_B', 'write', '{"to":"/b"}');
const PROVIDER: BlockPlan = {
  start: { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} },
  deltas: [{ type: 'input_json_delta', partial_json: '{"query":"q"}' }],
};
const FOUND: BlockPlan = { start: { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] }, deltas: [] };

/** Streams of upstream's, by what is denied of them. */
const SOURCES: Readonly<Record<string, string>> = {
  'text and thinking': stream([thinkingBlock('hm'), textBlock('a\u2028b')], 'end_turn'),
  'one call': stream([READ]),
  'two calls and text': stream([textBlock('so'), READ, textBlock('then'), WRITE]),
  'two calls of a name': stream([READ, ODD, READ]),
  'calls by turns': frames([
    begin(),
    ...blockEvents(0, READ).slice(0, 2),
    ...blockEvents(1, WRITE).slice(0, 2),
    ...blockEvents(0, READ).slice(2),
    ...blockEvents(1, WRITE).slice(2),
    ...finish('tool_use'),
  ]),
  'a gap in the indices': frames([begin(), ...blockEvents(1, READ), ...blockEvents(3, WRITE), ...finish('tool_use')]),
  'blocks out of order': frames([begin(), ...blockEvents(1, READ), ...blockEvents(0, WRITE), ...finish('tool_use')]),
  'a call that the message begins with': frames([
    begin([{ ...READ.start, input: { path: '/p' } }]),
    ...blockEvents(1, WRITE),
    ...finish('tool_use'),
  ]),
  "a provider's call": stream([PROVIDER, FOUND, WRITE, textBlock('done')], 'tool_use'),
  'pings and comments': stream([READ]).replaceAll(
    'event: content_block_stop',
    `: so\n\n${frame({ type: 'ping' })}event: content_block_stop`,
  ),
  'names that are not the types': stream([READ]).replaceAll('event: content_block_start', 'event: ping'),
  'no names': stream([READ]).replaceAll(/event: .*\n/g, ''),
};

type Choice = 'nothing' | 'everything' | 'read' | '/etc';
const DENIALS: Readonly<Record<Choice, Pick<Driving, 'nameVerdict' | 'verdict'>>> = {
  nothing: { nameVerdict: () => 'hold' },
  everything: { nameVerdict: () => 'deny', verdict: () => ({ isAllowed: false, note: NOTE }) },
  read: {
    nameVerdict: ({ name }) => (name === 'read' ? 'deny' : 'allow'),
    verdict: ({ name }) => (name === 'read' ? { isAllowed: false, note: NOTE } : { isAllowed: true }),
  },
  '/etc': {
    nameVerdict: () => 'hold',
    verdict: ({ args }) => (args?.includes('/etc') === true ? { isAllowed: false, note: NOTE } : { isAllowed: true }),
  },
};

const bodies = new Map<string, string>();
const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    const { model } = JSON.parse(text) as { model: string };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(bodies.get(model));
  });
});
let baseURL = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The same of each of the majors, whose types differ. */
interface Client {
  readonly messages: {
    stream(body: object): { finalMessage(): Promise<{ content: unknown; stop_reason: unknown; usage: unknown }> };
  };
}
const options = () => ({ baseURL, apiKey: 'none', maxRetries: 0 });
const CLIENTS: Readonly<Record<string, () => Client>> = {
  '1.12': () => new Anthropic(options()) as unknown as Client,
  '0.100': () => new Anthropic100(options()) as unknown as Client,
  '0.60': () => new Anthropic060(options()) as unknown as Client,
};

const cases = Object.entries(SOURCES).flatMap(([what, source]) =>
  (Object.keys(DENIALS) as Choice[]).map((denied) => ({ what, source, denied })),
);

describe.each(cases)('$what, $denied denied', ({ what, source, denied }) => {
  const model = `${what} ${denied}`;
  const driven = driveModelStream([Buffer.from(source)], {
    create: createAnthropicStream,
    ...DENIALS[denied],
    answers: 'after the end',
  });
  const expected = accumulateMessage(driven.text);
  bodies.set(model, driven.text);

  it.each(Object.entries(CLIENTS))('@anthropic-ai/sdk %s has the message that we meant', async (_version, create) => {
    const message = await create()
      .messages.stream({ model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
      .finalMessage();
    // Arguments may be getters there.
    expect(JSON.parse(JSON.stringify(message.content))).toEqual(expected.content);
    expect(message.stop_reason).toBe(expected.stopReason);
    expect(message.usage).toMatchObject({ input_tokens: 7, output_tokens: 89 });
    if (denied === 'everything') expect(JSON.stringify(message)).not.toContain('tool_use');
  });

  it('@ai-sdk/anthropic has the calls that are left', async () => {
    const { stream: parts } = await createAnthropic({ baseURL: `${baseURL}/v1`, apiKey: 'none' })(model).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    });
    const calls: string[] = [];
    let said = '';
    for await (const part of parts) {
      if (part.type === 'tool-call') calls.push(part.toolCallId);
      if (part.type === 'text-delta') said += part.delta;
      if (part.type === 'error') throw part.error;
    }
    const left = expected.content.filter(({ type }) => type === 'tool_use' || type === 'server_tool_use').map(({ id }) => id);
    expect(calls.toSorted()).toEqual(left.toSorted());
    expect(said).toBe(expected.content.map(({ type, text }) => (type === 'text' ? text : '')).join(''));
  });
});

describe('any blocks, any of them denied, in any chunks', () => {
  const BLOCKS = [READ, ODD, WRITE, textBlock('so'), thinkingBlock('hm')];
  const plan = fc.record({
    block: fc.constantFrom(...BLOCKS),
    mode: fc.constantFrom<NameVerdict>('allow', 'deny', 'hold'),
    isDenied: fc.boolean(),
  });

  it.each(Object.entries(CLIENTS))(
    '@anthropic-ai/sdk %s has the original without the denied calls and with the notes',
    async (version, create) => {
      let turn = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(plan, { maxLength: 6 }), fc.integer({ min: 1, max: 400 }), async (plans, length) => {
          const isDenied = (id: string) => {
            const { mode, isDenied: isNo } = plans[Number(id.slice(1))] as (typeof plans)[number];
            return mode === 'deny' || (mode === 'hold' && isNo);
          };
          const blocks = plans.map(({ block }, at) =>
            'id' in block.start ? { ...block, start: { ...block.start, id: `t${at}` } } : block,
          );
          const source = Buffer.from(stream(blocks));
          const chunks = Array.from({ length: Math.ceil(source.length / length) }, (_, at) =>
            source.subarray(at * length, (at + 1) * length),
          );
          const { text } = driveModelStream(chunks, {
            create: createAnthropicStream,
            nameVerdict: ({ id }) => plans[Number(id.slice(1))]?.mode ?? 'deny',
            verdict: ({ id }) => (isDenied(id) ? { isAllowed: false, note: NOTE } : { isAllowed: true }),
            answers: 'next chunk',
          });
          const model = `${version} ${turn++}`;
          bodies.set(model, text);
          const message = await create()
            .messages.stream({ model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
            .finalMessage();
          bodies.delete(model);
          const expected = accumulateMessage(source.toString()).content.map((block) =>
            block['type'] === 'tool_use' && isDenied(String(block['id'])) ? { type: 'text', text: NOTE } : block,
          );
          expect(JSON.parse(JSON.stringify(message.content))).toEqual(expected);
        }),
        { numRuns: runs(40) },
      );
    },
  );
});

describe('an answer that is ended by us', () => {
  it.each(Object.entries(CLIENTS))('is an error to @anthropic-ai/sdk %s', async (_version, create) => {
    const { text, fault } = driveModelStream([Buffer.from(stream([READ]))], {
      create: createAnthropicStream,
      verdict: () => ({ isAllowed: false, note: NOTE }),
    });
    expect(fault).toBeDefined();
    bodies.set('ended', text);
    const answer = create().messages.stream({ model: 'ended', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
    await expect(answer.finalMessage()).rejects.toThrow('clawai ended this answer');
  });
});
