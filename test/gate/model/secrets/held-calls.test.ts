import { describe, expect, it } from 'vitest';
import { anthropicApi } from '../../../../src/protocol/llm/anthropic/api.ts';
import { geminiApi } from '../../../../src/protocol/llm/gemini/api.ts';
import type { ModelApi } from '../../../../src/protocol/llm/model-api.ts';
import { openaiApi } from '../../../../src/protocol/llm/openai/api.ts';
import { responsesApiAt } from '../../../../src/protocol/llm/openai/responses/api.ts';
import * as anthropic from '../../../support/anthropic-events.ts';
import { accumulateMessage } from '../../../support/anthropic-accumulator.ts';
import { accumulateChat } from '../../../support/chat-accumulator.ts';
import * as chat from '../../../support/chat-chunks.ts';
import { driveModelStream, everySplit } from '../../../support/drive-model-stream.ts';
import * as gemini from '../../../support/gemini-events.ts';
import { accumulateResponse } from '../../../support/response-accumulator.ts';
import * as responses from '../../../support/response-events.ts';
import { restoring, searching } from '../../../support/searching.ts';

/** A secret that JSON has to escape. */
const SECRET = 'pa"ss\\wo\nrd-1';

const search = searching('on_request = "tokenize"\nrestore_to = ["native"]');
const token = search.tokens.tokenOf('password', SECRET);
search.tokens.learn(token, { kind: 'password', value: SECRET });

const ARGS = JSON.stringify({ command: `login ${token}`, nested: JSON.stringify({ key: token }), n: 1 });
const RESTORED = { command: `login ${SECRET}`, nested: JSON.stringify({ key: SECRET }), n: 1 };

/** How an API streams two calls, and says a text. */
const STREAMS: readonly (readonly [name: string, api: ModelApi, stream: string, check: (text: string) => void])[] = [
  [
    'anthropic',
    anthropicApi,
    anthropic.stream([
      anthropic.textBlock('Well.'),
      anthropic.callBlock('toolu_1', 'Bash', ARGS, 5),
      anthropic.callBlock('toolu_2', 'Bash', '{}'),
    ]),
    (text) => {
      const { content } = accumulateMessage(text);
      expect(content.slice(1)).toMatchObject([{ input: RESTORED }, { input: {} }]);
    },
  ],
  [
    'chat',
    openaiApi,
    chat.stream('Well.', [
      { id: 'call_1', name: 'Bash', args: ARGS, piece: 5 },
      { id: 'call_2', name: 'Bash', args: '{}' },
    ]),
    (text) => {
      const calls = accumulateChat(text).choices[0]?.toolCalls ?? [];
      expect(calls.map((call) => JSON.parse(call.function?.arguments ?? '') as unknown)).toEqual([RESTORED, {}]);
    },
  ],
  [
    'responses',
    responsesApiAt('/v1/responses'),
    responses.stream([responses.message('Well.'), responses.call('Bash', ARGS), responses.custom('patch', `a ${token}`)]),
    (text) => {
      expect(text).not.toContain(token);
      expect(JSON.stringify(accumulateResponse(text))).toContain(JSON.stringify(JSON.stringify(RESTORED)).slice(1, -1));
    },
  ],
  [
    'gemini',
    geminiApi,
    gemini.sse([
      gemini.payload([gemini.text('Well.')]),
      gemini.payload([gemini.call('Bash', JSON.parse(ARGS))]),
      gemini.finish(),
    ]),
    (text) => expect(text).toContain(JSON.stringify(RESTORED)),
  ],
];

describe.each(STREAMS)('the arguments of a call in %s', (_name, api, stream, check) => {
  it('get the secret back for its token, however the bytes come, and are judged so', async () => {
    const secrets = await restoring(search, api, { servers: ['native'] });
    const create = secrets.createStream.bind(secrets);
    const { text, asked } = driveModelStream([Buffer.from(stream)], { create, nameVerdict: () => 'hold' });
    check(text);
    expect(JSON.parse(asked[0]?.args ?? '')).toEqual(RESTORED);
    expect(secrets.hide?.(RESTORED)).toEqual(JSON.parse(ARGS));
    for (const chunks of everySplit(stream).slice(0, 400)) check(driveModelStream(chunks, { create }).text);
  });

  it('keep the token for another server, or where nothing tells the server', async () => {
    for (const servers of [['github'], [], ['native', 'github']]) {
      const secrets = await restoring(search, api, { servers });
      const { text } = driveModelStream([Buffer.from(stream)], { create: (options) => secrets.createStream(options) });
      expect(text).toBe(driveModelStream([Buffer.from(stream)], { create: (options) => api.createStream(options) }).text);
    }
  });

  it('keep the token where more would be held than may be', async () => {
    const secrets = await restoring(search, api, { servers: ['native'] });
    const driven = driveModelStream([Buffer.from(stream)], {
      create: (options) => secrets.createStream({ ...options, maxHeld: 100 }),
    });
    expect(driven.fault).toBeUndefined();
  });
});
