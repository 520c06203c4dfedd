import { describe, expect, it } from 'vitest';
import type { PastCall } from '../../src/core/finding.ts';
import { PastCalls } from '../../src/core/flow/past-calls.ts';
import { LONGEST_WINDOW, MOST_CALLS } from '../../src/core/facts.ts';
import { policyErrors } from '../support/policy-errors.ts';
import { NOW, pastCall, rulesIn } from '../support/session-facts.ts';

describe('what is looked back at', () => {
  it('holds whatever a policy may ask for', () => {
    expect(policyErrors(`[flow]\nburst = { max_calls = ${MOST_CALLS - 1}, window = "${LONGEST_WINDOW / 1000}s" }`)).toEqual([]);
    expect(policyErrors(`[flow]\nburst = { max_calls = ${MOST_CALLS} }`)).toHaveLength(1);
    expect(policyErrors(`[flow]\nburst = { window = "${LONGEST_WINDOW / 1000 + 1}s" }`)).toHaveLength(1);
  });

  it('is enough for the widest burst', () => {
    const calls = new PastCalls();
    for (let i = 0; i < MOST_CALLS - 1; i++) calls.add(pastCall(3600 - i, { server: 'mail' }));
    const found = (listed: readonly PastCall[]): readonly string[] =>
      rulesIn({ policy: 'burst = { max_calls = 999, window = "1h" }', session: { calls: listed } });
    expect(found(calls.list(NOW))).toEqual(['burst']);
    expect(found(calls.list(NOW).slice(1))).toEqual([]);
  });
});
