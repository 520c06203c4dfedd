import { describe, expect, it } from 'vitest';
import type { CallVerdict, ModelCall } from '../../../../src/protocol/llm/dialect.ts';
import { findMessageCalls, rewriteMessage } from '../../../../src/protocol/llm/anthropic/buffered.ts';

const YES: CallVerdict = { isAllowed: true };
const NO: CallVerdict = { isAllowed: false, note: 'No: "a rule".' };
const NOTE = '{"type":"text","text":"No: \\"a rule\\"."}';
const READ = '{"type": "tool_use", "id": "tA", "name": "read", "input": {"path": "/a", "n": 1.0}}';
const WRITE = '{"type":"tool_use","id":"tB","name":"write","input":{}}';
const ECHO = '{"type":"mcp_tool_use","id":"m1","name":"echo","server_name":"ex","input":{"a":1}}';
const ECHOED = '{"type":"mcp_tool_result","tool_use_id":"m1","is_error":false,"content":[{"type":"text","text":"leak"}]}';
const message = (content: string, reason = 'tool_use') =>
  `{\n  "id": "msg_1", "odd": 1e400,\r\n  "content": [\n    ${content}\n  ],\n  "stop_reason": "${reason}", "usage": {"output_tokens": 12345678901234567890}\n}\n`;

describe('the calls of a message', () => {
  it('are those of its blocks, by their types', () => {
    expect(findMessageCalls(message(`{"type":"text","text":"tool_use"}, ${READ}, ${ECHO}, ${ECHOED}`, 'end_turn'))).toEqual([
      {
        id: 'tA',
        name: 'read',
        group: undefined,
        args: '{"path": "/a", "n": 1.0}',
        problem: undefined,
        runBy: 'client',
        server: undefined,
        answer: 'msg_1',
        inHistory: expect.any(Function),
      },
      {
        id: 'm1',
        name: 'echo',
        group: undefined,
        args: '{"a":1}',
        problem: undefined,
        runBy: 'provider',
        server: 'ex',
        answer: 'msg_1',
      },
    ]);
  });

  it('are told again as they were made', () => {
    const calls = findMessageCalls(message(`${READ}, ${ECHO}`)) as readonly ModelCall[];
    expect(calls.map((call) => call.inHistory?.())).toEqual([READ, undefined]);
  });

  it('are none where there is no content', () => {
    for (const text of [
      '{}',
      '{"type":"error","error":{"type":"x"}}',
      '{"input_tokens":5}',
      '{"content":"a"}',
      '{"content":null}',
    ])
      expect(findMessageCalls(text)).toEqual([]);
  });

  it('have problems of their own', () => {
    expect(findMessageCalls(message(READ.replace('"n"', '"path"')))).toMatchObject([{ problem: 'duplicate_key' }]);
    expect(findMessageCalls(message(READ.replace(/\{"path.*?\}/, '[]')))).toMatchObject([{ problem: 'not_an_object' }]);
    expect(findMessageCalls(message(READ.replace(/, "input.*\}\}/, '}')))).toMatchObject([{ args: '{}', problem: undefined }]);
  });

  it.each<[string, string]>([
    ['no JSON', '{"content":'],
    ['more than one', `${message(READ)}{}`],
    ['no object', '[]'],
    ['content twice', message(READ).replace('"odd": 1e400', '"content": []')],
    ['a reason twice', message(READ).replace('"odd": 1e400', '"stop_reason": null')],
    ['a type twice', message(READ.replace('"id"', '"type": "text", "id"'))],
    ['a name twice', message(READ.replace('"id"', '"name": "a", "id"'))],
    ['arguments twice', message(READ.replace('"id"', '"input": {}, "id"'))],
    ['a type in escapes, twice', message(READ.replace('"id"', String.raw`"t\u0079pe": "text", "id"`))],
    ['content in other letters', message(READ).replace('"odd"', '"Content"')],
    ['a name in other letters', message(READ.replace('"id"', '"NAME": "a", "id"'))],
    ['a call without a name', message(READ.replace('"name"', '"title"'))],
    ['a block that is none', message('"tool_use"')],
  ])('can not be told of what has %s', (_what, text) => {
    expect(findMessageCalls(text)).toBeTypeOf('string');
    expect(() => rewriteMessage(text, [])).toThrow('cannot be rewritten');
  });
});

describe('hazard 28: a message that is rewritten', () => {
  it.each<[string, string, readonly CallVerdict[], string]>([
    ['is as it was where all is allowed', message(`${READ}, ${WRITE}`), [YES, YES], message(`${READ}, ${WRITE}`)],
    ['has a note for each denied call', message(`${READ} ,${WRITE}`), [NO, YES], message(`${NOTE} ,${WRITE}`)],
    ['ends the turn where nothing is left', message(`${READ},${WRITE}`), [NO, NO], message(`${NOTE},${NOTE}`, 'end_turn')],
    ['keeps other reasons', message(READ, 'max_tokens'), [NO], message(NOTE, 'max_tokens')],
    ["keeps the reason for a provider's calls", message(`${ECHO}`), [NO], message(NOTE)],
    [
      "is without the result of a provider's call",
      message(`${ECHO}, ${ECHOED}, ${READ}`),
      [NO, YES],
      message(`${NOTE}, {"type":"text","text":"[clawai] The result of this call is withheld."}, ${READ}`),
    ],
    [
      'is without what nobody has allowed',
      message(READ),
      [],
      message('{"type":"text","text":"[clawai] The call of \\"read\\" was left out."}', 'end_turn'),
    ],
  ])('%s', (_what, text, verdicts, expected) => {
    expect(rewriteMessage(text, verdicts)).toBe(expected);
  });

  it('hazard 29: loses the one call that is denied, and not its namesakes', () => {
    expect(rewriteMessage(message(`${READ},${READ}`), [YES, NO])).toBe(message(`${READ},${NOTE}`));
  });
});
