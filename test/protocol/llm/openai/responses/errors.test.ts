import { expect, it } from 'vitest';
import { replayError } from '../../../../../src/protocol/llm/openai/responses/errors.ts';

it('a refusal for want of a result makes clients send the whole conversation', () => {
  const refusal = { error: { message: 'No tool output found for function call call_1.', type: 'invalid_request_error' } };
  const answer = replayError(JSON.stringify(refusal));
  expect(answer?.status).toBe(400);
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({
    error: { code: 'previous_response_not_found', message: expect.stringContaining('clawai') as unknown },
  });
});

it.each(['{', '[]', '{"error":"x"}', '{"error":{"message":"Rate limit"}}'])('%s stays as it is', (refusal) => {
  expect(replayError(refusal)).toBeUndefined();
});
