import { describe, expect, it } from 'vitest';
import { findBatchResultCalls, rewriteBatchResult } from '../../../../src/protocol/llm/anthropic/batches.ts';
import type { CallVerdict } from '../../../../src/protocol/llm/dialect.ts';

const YES: CallVerdict = { isAllowed: true };
const NO: CallVerdict = { isAllowed: false, note: 'No.' };
const NOTE = '{"type":"text","text":"No."}';
const READ = '{"type":"tool_use","id":"tA","name":"read","input":{"path": "/a"}}';
const message = (content: string, reason = 'tool_use') =>
  `{"id":"msg_1", "content": [${content}],"stop_reason": "${reason}", "n": 1.0}`;

describe('a line of a batch', () => {
  const line = (content: string, reason?: string) =>
    `{"custom_id":"a","result":{"type":"succeeded","message":${message(content, reason)}}}`;

  it('is read and rewritten as a message is', () => {
    expect(findBatchResultCalls(line(READ))).toMatchObject([{ id: 'tA' }]);
    expect(rewriteBatchResult(line(READ), [NO])).toBe(line(NOTE, 'end_turn'));
    expect(rewriteBatchResult(line(READ), [YES])).toBe(line(READ));
  });

  it('has no calls where it has no message', () => {
    expect(findBatchResultCalls('{"custom_id":"a","result":{"type":"errored","error":{"type":"x"}}}')).toEqual([]);
    expect(findBatchResultCalls('{"error":1}')).toEqual([]);
  });

  it('can not be told where its message is there twice', () => {
    const twice = line(READ).replace('"result":', '"result":{},"result":');
    expect(findBatchResultCalls(twice)).toBeTypeOf('string');
    expect(findBatchResultCalls(line(READ).replace('"message":', '"message":{},"message":'))).toBeTypeOf('string');
    expect(findBatchResultCalls('{"result":{"type":"a","type":"b"}}')).toBeTypeOf('string');
  });
});
