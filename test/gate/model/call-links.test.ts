import { expect, it } from 'vitest';
import { SEEN_ONCE } from '../../../src/gate/model/call-links.ts';

const CALL = { method: 'tools/call', server: 's', tool: 't' };

it('a call that can be seen only once was not seen before', () => {
  const decision = { action: 'prompt', reason: 'rule', findings: [], policyHash: 'p' } as const;
  expect([SEEN_ONCE.answerTo(CALL, decision), SEEN_ONCE.take(CALL)]).toEqual([undefined, undefined]);
});
