import { describe, expect, it } from 'vitest';
import { FLOW_ACTIONS, FLOW_RULES } from '../../src/core/finding.ts';
import { policyErrors } from '../support/policy-errors.ts';
import { flowsIn, pastCall } from '../support/session-facts.ts';

describe('the words of flow', () => {
  it('each rule has a table of its name in the policy, and each action can be its', () => {
    for (const rule of FLOW_RULES) {
      for (const action of FLOW_ACTIONS) expect(policyErrors(`[flow]\n${rule} = { action = "${action}" }`)).toEqual([]);
    }
    expect(policyErrors('[flow]\nother_rule = {}')).toHaveLength(1);
  });

  it('actions are in order of strictness', () => {
    const session = { calls: [pastCall(1, { turn: 'a' })], turn: 'a' };
    for (const [index, action] of FLOW_ACTIONS.entries()) {
      for (const other of FLOW_ACTIONS.slice(0, index)) {
        const policy = `read_then_send = { action = "${other}" }\ncross_server_flow = { action = "${action}" }`;
        expect(flowsIn({ policy, session })[0]).toMatchObject({ rule: 'cross_server_flow', action });
      }
    }
  });
});
