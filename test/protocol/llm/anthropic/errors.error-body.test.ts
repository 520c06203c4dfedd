import { expect, it } from 'vitest';
import { errorBody } from '../../../../src/protocol/llm/anthropic/errors.ts';

it('is an error as the API tells it', () => {
  expect(JSON.parse(errorBody('api_error', 'No "x".'))).toEqual({
    type: 'error',
    error: { type: 'api_error', message: 'No "x".' },
  });
  expect(JSON.parse(errorBody('not_found_error', 'No.', { error_code: 'x' }))).toMatchObject({
    error: { type: 'not_found_error', details: { error_code: 'x' } },
  });
});
