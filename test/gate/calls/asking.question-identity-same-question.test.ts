import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/decision.ts';
import type { FlowFinding } from '../../../src/core/finding.ts';
import { isSameQuestion } from '../../../src/gate/calls/asking.ts';
import { pastCall } from '../../support/past-call.ts';

const FLOW: FlowFinding = {
  rule: 'read_then_send',
  severity: 'critical',
  action: 'prompt',
  reason: 'it would send',
  related: [pastCall('1')],
  evidence: undefined,
};
const EVIDENCE = { source: '1', encoding: 'plain', description: 'a number of 16 digits' };

function asked(flow: readonly FlowFinding[], more: Partial<Decision> = {}): Decision {
  return { action: 'prompt', reason: 'flow', findings: [], policyHash: '', flow, ...more };
}

describe('isSameQuestion, of flows', () => {
  it.each<[string, readonly FlowFinding[], readonly FlowFinding[], boolean]>([
    ['what others have read meanwhile can be in no call', [FLOW], [{ ...FLOW, related: [pastCall('1'), pastCall('2')] }], true],
    ['what only alerts asks nobody', [FLOW], [FLOW, { ...FLOW, rule: 'burst', action: 'alert' }], true],
    ['another rule', [FLOW], [{ ...FLOW, rule: 'cross_server_flow' }], false],
    ['one more rule', [FLOW], [FLOW, { ...FLOW, rule: 'burst' }], false],
    ['one rule less', [FLOW, { ...FLOW, rule: 'burst' }], [FLOW], true],
    ['a value that was found since', [FLOW], [{ ...FLOW, evidence: EVIDENCE }], false],
    ['the same value', [{ ...FLOW, evidence: EVIDENCE }], [{ ...FLOW, evidence: EVIDENCE }], true],
  ])('%s: %#', (_, before, now, isSame) => {
    expect(isSameQuestion(asked(before), asked(now))).toBe(isSame);
  });

  it('a rule that asks asks the same where a flow is alerted of since', () => {
    const rule = { index: 0, id: 'sending', action: 'prompt' } as const;
    const before = asked([], { reason: 'rule', rule });
    expect(isSameQuestion(before, asked([{ ...FLOW, action: 'alert' }], { reason: 'rule', rule }))).toBe(true);
  });
});
