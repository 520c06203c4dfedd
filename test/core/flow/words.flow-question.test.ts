import { describe, expect, it } from 'vitest';
import type { FlowFinding } from '../../../src/core/finding.ts';
import { askedFlows, flowIdentity } from '../../../src/core/flow/words.ts';
import { pastCall } from '../../support/past-call.ts';

const FLOW: FlowFinding = {
  rule: 'read_then_send',
  severity: 'critical',
  action: 'prompt',
  reason: 'it would send',
  related: [pastCall('1'), pastCall('2', { server: 'db' }), pastCall('3')],
  evidence: undefined,
};
const SHADOW: FlowFinding = { ...FLOW, rule: 'shadow_tool', related: [], reason: 'a name that "db" had first' };

describe('what of a flow a person is asked about', () => {
  it('is what asks: no alert, and nothing of a call that is not asked about', () => {
    const alert: FlowFinding = { ...FLOW, rule: 'burst', action: 'alert' };
    expect(askedFlows({ action: 'prompt', flow: [FLOW, alert] })).toEqual([FLOW]);
    expect(askedFlows({ action: 'deny', flow: [FLOW] })).toEqual([]);
    expect(flowIdentity({ action: 'prompt', flow: [alert] })).toBeUndefined();
  });

  it('is known by rules and servers, whatever the order and number of their calls', () => {
    const identity = flowIdentity({ action: 'prompt', flow: [FLOW] });
    expect(identity).toBe('[["read_then_send",["db","files"],false]]');
    expect(flowIdentity({ action: 'prompt', flow: [{ ...FLOW, related: FLOW.related.toReversed(), reason: 'later' }] })).toBe(
      identity,
    );
  });

  it('is known by who had the name first', () => {
    const other = { ...SHADOW, reason: 'a name that "web" had first' };
    expect(flowIdentity({ action: 'prompt', flow: [SHADOW] })).not.toBe(flowIdentity({ action: 'prompt', flow: [other] }));
  });
});
