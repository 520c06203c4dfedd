import { describe, expect, it } from 'vitest';
import { toldError } from '../../../src/transport/llm/told-error.ts';

const ANEW = { status: 404, body: 'begin anew' };
const api = { replayError: (refusal: string) => (refusal.includes('missing') ? ANEW : undefined) };

function told(text: string | Buffer, status = 500, previousAnswer?: string): unknown {
  const body = Buffer.from(text);
  const found = toldError({ status, body }, { api, asked: { previousAnswer } });
  return found?.body === body ? found.status : found && { ...found, body: found.body.toString() };
}

describe('what is told of an error', () => {
  it.each([
    '',
    '<h1>Bad gateway</h1>',
    '{"error":{"message":"no \\"tool_calls\\" may be here"}}',
    '{"detail":[{"input":{"tool_calls":[{}]}}]}',
    '{"error":{"metadata":{"raw":{"functionCall":{"name":"x"}}}}}',
    '{"message":"failed","code":1}',
    '[{"error":{"code":400}}]',
    '"tool_use is gone"',
    'null',
  ])('is what it is: %s', (text) => {
    expect(told(text)).toBe(500);
  });

  it.each([
    '{"choices":[{"message":{"tool_calls":[{}]}}]}',
    '{"error":null,"message":{"tool_calls":[{}]}}',
    '[{"candidates":[{"content":{"parts":[{"functionCall":{"name":"x"}}]}}]}]',
    '{"content":[{"type":"tool_use"}],"a":1,"a":2}',
    '{"content":[{"type":"tool_use"}],"a":NaN}',
    String.raw`{"content":[{"type":"tool\u005fuse"}],"a":NaN}`,
    Buffer.from('{"content":[{"type":"tool_use"}]}', 'utf16le'),
    Buffer.from([...Buffer.from('{"type":"tool_use"}'), 0xff]),
  ])('is nothing where it could be an answer with a call: %s', (text) => {
    expect(told(text)).toBeUndefined();
  });

  it('is that the client has to begin anew, where a request that goes on is refused for what is missing', () => {
    expect(told('missing', 400, 'msg_1')).toEqual(ANEW);
    expect(told('missing', 400)).toBe(400);
    expect(told('missing', 409, 'msg_1')).toBe(409);
    expect(told('other', 400, 'msg_1')).toBe(400);
  });
});
