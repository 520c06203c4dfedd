import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createAnthropicStream } from '../../src/protocol/llm/anthropic/stream.ts';
import type { CallVerdict, StreamOptions } from '../../src/protocol/llm/dialect.ts';
import type { SseEvent } from '../../src/protocol/sse/splitter.ts';
import { callBlock, stream, textBlock } from '../support/anthropic-events.ts';
import { useSandbox } from '../support/attempt.ts';
import * as chat from '../support/chat-chunks.ts';
import * as responses from '../support/response-events.ts';
import * as gemini from '../support/gemini-events.ts';
import { ANTHROPIC, formatStreamScores, GEMINI, OPENAI_CHAT, OPENAI_RESPONSES, scoreStream, scoreStreams } from './streams.ts';

const sandbox = useSandbox();
const CALL = stream([textBlock('a'), callBlock('t1', 'read', '{"path":"/a"}')]);
const scored = (text: string, create = createAnthropicStream) => {
  const { name: _name, ...outcomes } = scoreStream('x', Buffer.from(text), { ...ANTHROPIC, create });
  return outcomes;
};

describe('a recorded stream', () => {
  it.each<[string, string, object]>([
    ['a call', CALL, { allowed: 'identical', held: 'identical', denied: 'noted', deniedOne: 'noted' }],
    [
      'text',
      stream([textBlock('a')], 'end_turn'),
      { allowed: 'identical', held: 'identical', denied: 'identical', deniedOne: 'identical' },
    ],
    [
      'no names',
      CALL.replaceAll(/event: .*\n/g, ''),
      { allowed: 'hardened', held: 'hardened', denied: 'hardened', deniedOne: 'hardened' },
    ],
    ['a BOM', `\ufeff${CALL}`, { allowed: 'same', held: 'same', denied: 'noted', deniedOne: 'noted' }],
    [
      'half of it',
      CALL.slice(0, CALL.indexOf('"partial_json":"{')),
      { allowed: 'hardened', held: 'hardened', denied: 'hardened', deniedOne: 'hardened' },
    ],
    [
      'no JSON',
      `${CALL.slice(0, CALL.indexOf('event: message_delta'))}data: x\n\n`,
      { allowed: 'ended', held: 'ended', denied: 'ended', deniedOne: 'ended' },
    ],
  ])('of %s', (_what, text, outcomes) => {
    expect(scored(text)).toEqual({ ...outcomes, differingSplits: 0 });
  });

  it('is WRONG where events are lost', () => {
    const losing = (options: StreamOptions) => createAnthropicStream({ ...options, output: { ...options.output, text() {} } });
    expect(scored(CALL, losing)).toMatchObject({ allowed: 'identical', held: 'WRONG', denied: 'WRONG' });
    const lax = (options: StreamOptions) => {
      const output = { ...options.output, ask: () => dialect.answer({ isAllowed: true }) };
      const dialect = createAnthropicStream({ ...options, output, nameVerdict: () => 'hold' });
      return dialect;
    };
    expect(scored(CALL, lax)).toMatchObject({ allowed: 'identical', held: 'identical', denied: 'WRONG' });
    const careless = (options: StreamOptions) => createAnthropicStream({ ...options, nameVerdict: () => 'allow' });
    expect(scored(CALL, careless)).toMatchObject({ allowed: 'identical', denied: 'ended' });
    const forgetful = (options: StreamOptions) => {
      const dialect = createAnthropicStream(options);
      let count = 0;
      return {
        ...dialect,
        isHolding: false,
        keepAlive: '',
        answer: (verdict: CallVerdict) => dialect.answer(verdict),
        end: () => dialect.end(),
        push: (event: SseEvent) => (count++ < 6 ? dialect.push(event) : undefined),
      };
    };
    expect(scored(CALL, forgetful)).toMatchObject({ allowed: 'WRONG' });
  });
});

describe('a recorded stream of Chat Completions', () => {
  const CALLS = [
    { id: 'a', name: 'read', args: '{"path":"/a"}' },
    { id: 'b', name: 'read', args: '{}' },
  ];
  const WHOLE = chat.stream('So.', CALLS);

  it.each<[string, string, object]>([
    ['two calls', WHOLE, { allowed: 'identical', held: 'same', denied: 'noted', deniedOne: 'noted' }],
    ['text', chat.stream('So.', []), { allowed: 'identical', held: 'identical', denied: 'identical', deniedOne: 'identical' }],
    [
      'half of it',
      WHOLE.slice(0, WHOLE.indexOf(chat.finish('tool_calls'))),
      { allowed: 'identical', held: 'cut', denied: 'cut', deniedOne: 'cut' },
    ],
    ['no JSON', `${chat.begin()}data: x\n\n`, { allowed: 'ended', held: 'ended', denied: 'ended', deniedOne: 'ended' }],
  ])('of %s', (_what, text, outcomes) => {
    const { name: _name, differingSplits, ...made } = scoreStream('x', Buffer.from(text), OPENAI_CHAT);
    expect([made, differingSplits]).toEqual([outcomes, 0]);
  });
});

describe('a recorded stream of the Responses API', () => {
  const ITEMS = [responses.message('So.'), responses.call('read', '{"path":"/a"}'), responses.call('read', '{}')];
  const WHOLE = responses.stream(ITEMS);

  it.each<[string, string, object]>([
    ['two calls', WHOLE, { allowed: 'identical', held: 'same', denied: 'noted', deniedOne: 'noted' }],
    [
      'text',
      responses.stream(ITEMS.slice(0, 1)),
      { allowed: 'identical', held: 'identical', denied: 'identical', deniedOne: 'identical' },
    ],
    ['no JSON', 'data: x\n\n', { allowed: 'ended', held: 'ended', denied: 'ended', deniedOne: 'ended' }],
  ])('of %s', (_what, text, outcomes) => {
    const { name: _name, differingSplits, ...made } = scoreStream('x', Buffer.from(text), OPENAI_RESPONSES);
    expect([made, differingSplits]).toEqual([outcomes, text.length > 4096 ? undefined : 0]);
  });
});

describe('a recorded stream of Gemini', () => {
  const { call, finish, payload, pieces, text } = gemini;
  const CALLS = [payload([text('a'), call('read', {}), call('read', {})]), finish()];
  const PIECES = pieces('read', { id: 'p', path: '$.a', value: 'abcdefgh' }).map((part) => payload([part]));

  it.each<[string, string, object]>([
    ['two calls', gemini.sse(CALLS), { allowed: 'identical', held: 'identical', denied: 'noted', deniedOne: 'noted' }],
    [
      'two calls in an array',
      gemini.jsonArray(CALLS).trim(),
      { allowed: 'identical', held: 'identical', denied: 'noted', deniedOne: 'noted' },
    ],
    [
      'a call in pieces',
      gemini.sse([...PIECES, finish()]),
      { allowed: 'identical', held: 'identical', denied: 'noted', deniedOne: 'noted' },
    ],
    ['half of one', gemini.sse(PIECES.slice(0, 2)), { allowed: 'identical', held: 'cut', denied: 'cut', deniedOne: 'cut' }],
    ['no JSON', 'data: x\n\n', { allowed: 'ended', held: 'ended', denied: 'ended', deniedOne: 'ended' }],
    ['no JSON in an array', '[{x}]', { allowed: 'ended', held: 'ended', denied: 'ended', deniedOne: 'ended' }],
  ])('of %s', (_what, source, outcomes) => {
    const { name: _name, differingSplits, ...made } = scoreStream('x', Buffer.from(source), GEMINI);
    expect([made, differingSplits]).toEqual([outcomes, 0]);
  });
});

it('a folder is replayed by the dialects that its folders are named after', () => {
  expect(() => scoreStreams(sandbox.current.folder)).toThrow(
    'there is no anthropic or openai-chat or openai-responses or gemini in',
  );
  mkdirSync(sandbox.current.path('anthropic'));
  writeFileSync(sandbox.current.path('anthropic/one.sse'), CALL);
  writeFileSync(sandbox.current.path('anthropic/notes.txt'), 'x');
  expect(formatStreamScores(scoreStreams(sandbox.current.folder)).split('\n')).toEqual([
    '                   allow all   hold all    deny all    deny one    differing splits',
    'anthropic/one.sse  identical   identical   noted       noted       0',
    '1 streams, 0 wrong',
  ]);
});
