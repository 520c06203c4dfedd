import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { decide } from '../../../src/core/decide/decide.ts';
import type { Decision } from '../../../src/core/decision.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import type { Bucket } from '../../../src/core/facts.ts';
import { limitsOf } from '../../../src/core/decide/rate-limits.ts';
import { POSIX, policyFrom } from '../../support/policy.ts';

const NOW = 1_700_000_000_000;
const LIMITS = `[rate_limits]
enabled = true
[rate_limits.server.web]
rpm = 60
[rate_limits.server.web.tool.search]
rpm = 2
`;
const ALLOW = '[defaults]\naction = "allow"\n';
const CALL: Call = { method: 'tools/call', server: 'web', tool: 'search' };

/** Decides with so many tokens in the buckets of the server and of the tool. */
function decided(tokens: readonly (number | undefined)[], { text = ALLOW + LIMITS, call = CALL } = {}): Decision {
  const policy = compilePolicy(policyFrom(text));
  const buckets = new Map<string, Bucket>();
  for (const [i, { key }] of limitsOf(policy.policy.rateLimits, call).entries()) {
    const left = tokens[i];
    if (left !== undefined) buckets.set(key, { tokens: left, time: NOW });
  }
  return decide(call, { policy, paths: POSIX, realPaths: new Map(), rates: { now: NOW, buckets } });
}

describe('[rate_limits]', () => {
  it.each([
    [[undefined, undefined], 'allow', undefined, undefined],
    [[1, 1], 'allow', undefined, undefined],
    [[0, 1], 'deny', 'server', 1],
    [[1, 0], 'deny', 'tool', 30],
    [[undefined, 0.5], 'deny', 'tool', 15],
    // The one that is empty for longer: the call can't go on before that.
    [[0, 0], 'deny', 'tool', 30],
    [[0, 0.99], 'deny', 'server', 1],
  ] as const)('with %j tokens: %s', (tokens, action, of, retryAfter) => {
    const decision = decided(tokens);
    expect(decision.action).toBe(action);
    expect(decision.excess?.limit.of).toBe(of);
    expect(decision.excess?.retryAfter).toBe(retryAfter);
    expect(decision.reason).toBe(of === undefined ? 'default' : 'rate_limit');
  });

  it('says all of the limit, and which policy it is of', () => {
    expect(decided([0])).toEqual({
      action: 'deny',
      reason: 'rate_limit',
      excess: { limit: { key: '["web"]', of: 'server', rpm: 60, burst: 10 }, retryAfter: 1 },
      findings: [],
      policyHash: compilePolicy(policyFrom(ALLOW + LIMITS)).hash,
    });
  });

  it('is asked last: a rule that allows or prompts skips no limit, and what a rule denies is its denial', () => {
    const withRule = (action: string): Decision =>
      decided([0, 0], { text: `${LIMITS}[[rule]]\naction = "${action}"\ntool = "search"` });
    expect(withRule('allow').reason).toBe('rate_limit');
    expect(withRule('prompt').reason).toBe('rate_limit');
    expect(withRule('deny').reason).toBe('rule');
  });

  it('is about nothing where it is not enabled, of another method, or where no buckets are known', () => {
    expect(decided([0, 0], { text: `${ALLOW}${LIMITS.replace('true', 'false')}` }).action).toBe('allow');
    expect(decided([0], { call: { method: 'tools/list', server: 'web' } }).action).toBe('allow');
    const policy = compilePolicy(policyFrom(ALLOW + LIMITS));
    expect(decide(CALL, { policy, paths: POSIX, realPaths: new Map() }).action).toBe('allow');
  });
});
