import { expect, it } from 'vitest';
import { errorPayload } from '../../../../src/protocol/llm/gemini/frame.ts';

it.each([
  ['request', 400, 'INVALID_ARGUMENT'],
  ['server', 500, 'INTERNAL'],
] as const)('an error of the %s', (kind, code, status) => {
  expect(JSON.parse(errorPayload('odd "x"', kind))).toEqual({ error: { code, message: 'odd "x"', status } });
});
