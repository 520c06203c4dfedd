import { expect, it } from 'vitest';
import { subjectOf } from '../../../src/gate/detection/call-subject.ts';

it.each([
  [{ tool: 't' }, { kind: 'tool', name: 't' }],
  [{ resource: 'doc://a' }, { kind: 'resource', name: 'doc://a' }],
  [{ prompt: 'p' }, { kind: 'prompt', name: 'p' }],
  [{}, undefined],
])('%j', (call, expected) => {
  expect(subjectOf({ method: 'm', server: 's', ...call })).toEqual(expected);
});

it('what is about no call has none', () => {
  expect(subjectOf(undefined)).toBeUndefined();
});
