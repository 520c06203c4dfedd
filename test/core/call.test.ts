import { expect, it } from 'vitest';
import { CALL_METHODS, SUBJECT_METHODS } from '../../src/core/call.ts';

it('what the default action is about', () => {
  expect([...CALL_METHODS]).toEqual([
    'tools/call',
    'resources/read',
    'prompts/get',
    'sampling/createMessage',
    'elicitation/create',
  ]);
  for (const method of Object.values(SUBJECT_METHODS)) expect(CALL_METHODS).toContain(method);
});
