import { expect, it } from 'vitest';
import { replayError } from '../../../../src/protocol/llm/anthropic/errors.ts';

const refusal = (message: unknown) => JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });
const MISSING =
  'messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a corresponding `tool_result` block in the next message.';

const OLD =
  'Did not find 1 `tool_result` block(s) at the beginning of this message. Messages following `tool_use` blocks must begin with a matching number of `tool_result` blocks.';

it.each([MISSING, OLD])('a call without a result has the client send the whole conversation', (message) => {
  const told = replayError(refusal(message));
  expect(told?.status).toBe(404);
  expect(JSON.parse(told?.body ?? '')).toEqual({
    type: 'error',
    error: { type: 'not_found_error', message: expect.any(String), details: { error_code: 'thread_not_found' } },
  });
});

it.each([
  refusal(
    'messages.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  ),
  refusal('max_tokens: Field required'),
  refusal('messages: text content blocks must be non-empty'),
  refusal(undefined),
  refusal(7),
  JSON.stringify({ error: MISSING }),
  `[${refusal(MISSING)}]`,
  MISSING,
  '',
])('what is refused for anything else is not told so: %s', (body) => {
  expect(replayError(body)).toBeUndefined();
});
