import { describe, expect, it } from 'vitest';
import type { CallVerdict } from '../../../../src/protocol/llm/dialect.ts';
import type { Frame } from '../../../../src/protocol/llm/typed-frame.ts';
import { applyPrefilled, type Prefilled, readPrefilled } from '../../../../src/protocol/llm/anthropic/prefilled.ts';

const A = '{"type":"tool_use","id":"a","name":"n","input":{"x": 1.0}}';
const B = '{"type":"mcp_tool_use","id":"b","name":"n","server_name":"s"}';
const RESULT = '{"type":"mcp_tool_result","tool_use_id":"b","content":"leak"}';
const YES: CallVerdict = { isAllowed: true };
const NO: CallVerdict = { isAllowed: false, note: 'No.' };
const frame = (content: string): Frame => {
  const data = `{"type":"message_start","message":{"content":[${content}], "n": 1.0}}`;
  return {
    type: 'message_start',
    payload: JSON.parse(data) as Frame['payload'],
    data,
    id: undefined,
    retry: undefined,
    isPlain: true,
  };
};

describe('what a message begins with', () => {
  it('is calls with their arguments, among other blocks', () => {
    expect(readPrefilled(frame(''))).toEqual({ count: 0, calls: [] });
    expect(readPrefilled(frame(`{"type":"text"},${A},${B}`))).toMatchObject({
      count: 3,
      calls: [
        { at: 1, call: { id: 'a', args: '{"x": 1.0}', runBy: 'client' } },
        { at: 2, call: { id: 'b', args: '{}', runBy: 'provider', server: 's' } },
      ],
    });
  });

  it('is told again as it was made, with the message that it is part of', () => {
    const data = `{"type":"message_start","message":{"id":"msg_1","content":[${A},${B}]}}`;
    const read = readPrefilled({ ...frame(''), payload: JSON.parse(data) as Frame['payload'], data });
    expect(read?.calls.map(({ call }) => [call.answer, call.inHistory?.()])).toEqual([
      ['msg_1', A],
      ['msg_1', undefined],
    ]);
  });

  it('can not be read where a block can not', () => {
    for (const content of ['1', '{"type":"tool_use"}']) expect(readPrefilled(frame(content))).toBeUndefined();
  });

  it.each<[string, readonly CallVerdict[], string, string, number, readonly string[]]>([
    ['all allowed', [YES, YES], `${A}, ${B},${RESULT}`, `${A}, ${B},${RESULT}`, 3, []],
    ['one denied', [NO, YES], `${A}, ${B},${RESULT}`, `${B},${RESULT}`, 2, ['No.']],
    ["the provider's denied, with its result", [YES, NO], `${A}, ${B},${RESULT}`, A, 1, ['No.']],
    ['all denied', [NO, NO], `${A}, ${B},${RESULT}`, '', 0, ['No.', 'No.']],
    ['without verdicts', [], A, '', 0, ['[clawai] The call of "n" was left out.']],
  ])('%s', (_what, verdicts, before, after, kept, notes) => {
    const start = frame(before);
    expect(applyPrefilled(start, readPrefilled(start) as Prefilled, verdicts)).toEqual({ data: frame(after).data, kept, notes });
  });
});
