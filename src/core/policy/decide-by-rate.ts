import type { Call } from '../call.ts';
import type { Decision } from '../decision.ts';
import type { RateExcess } from '../rate/bucket.ts';
import { limitsOf } from '../rate/limits-of.ts';
import { take } from '../rate/take.ts';
import type { Snapshot } from '../snapshot.ts';

/**
 * Denies a call for which a bucket has no token; of several, what it says is the one that has none for the longest. Takes nothing: that
 * is for whoever lets the call go on. Undefined for all others, and where nothing is limited.
 */
export function decideByRate(call: Call, { policy, rates }: Snapshot): Decision | undefined {
  if (rates === undefined) return undefined;
  let excess: RateExcess | undefined;
  for (const limit of limitsOf(policy.policy.rateLimits, call)) {
    const taking = take(rates.buckets.get(limit.key), limit, rates.now);
    if (taking.isTaken || taking.retryAfter <= (excess?.retryAfter ?? 0)) continue;
    excess = { limit, retryAfter: taking.retryAfter };
  }
  if (excess === undefined) return undefined;
  return { action: 'deny', reason: 'rate_limit', excess, findings: [], policyHash: policy.hash };
}
