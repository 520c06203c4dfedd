import { expect, it } from 'vitest';
import { errorMessageIn } from '../../../src/protocol/llm/error-message.ts';

it.each([
  ['{"type":"error","error":{"type":"x","message":"No."}}', 'No.'],
  ['{"error":{"message":""}}', ''],
  ['{"error":{"message":1}}', undefined],
  ['{"error":"No."}', undefined],
  ['[]', undefined],
  ['<html>', undefined],
])('the message of %s is %j', (body, message) => {
  expect(errorMessageIn(body)).toBe(message);
});
