import { describe, expect, it } from 'vitest';
import { boundExtra, withoutMeta } from '../../src/core/call.ts';

describe('what a yes is to besides the arguments', () => {
  it.each([
    ['nothing', undefined, undefined],
    ['ids and tracing', { _meta: { 'claudecode/toolUseId': 'toolu_1', progressToken: 2, traceparent: 'x' } }, undefined],
    ['a task', { task: { ttl: 5 } }, { task: { ttl: 5 } }],
    ['what else is in _meta', { _meta: { callId: 'c', scope: 'all' } }, { _meta: { scope: 'all' } }],
    ['a _meta that is none', { _meta: 'x' }, { _meta: 'x' }],
  ])('%s', (_what, extra, bound) => {
    expect(boundExtra(extra)).toEqual(bound);
  });

  it('is all of it but for the named members of _meta', () => {
    expect(withoutMeta({ task: 1, _meta: { a: 1, b: 2 } }, new Set(['a']))).toEqual({ task: 1, _meta: { b: 2 } });
  });
});
