import { type Call, CLIENT_CALLS } from '../call.ts';
import type { Bucket } from '../facts.ts';
import type { NamedLimit, RateLimit } from '../finding.ts';
import type { RateLimits } from '../policy/parse-rate-limits.ts';

const MINUTE = 60_000;

/** Tolerance for rounding errors: a token that lacks no more than that is whole. */
const ROUNDING = 1e-9;

/** The result of taking a token: the bucket afterwards, or the seconds until there is one, rounded up and at least 1. */
export type Taking =
  | { readonly isTaken: true; readonly bucket: Bucket }
  | { readonly isTaken: false; readonly retryAfter: number };

/**
 * Takes a token for a call.
 *
 * @param bucket as it was left; undefined for a full one
 * @param now milliseconds since the epoch
 */
export function take(bucket: Bucket | undefined, limit: RateLimit, now: number): Taking {
  const { tokens } = refill(bucket, limit, now);
  if (tokens >= 1 - ROUNDING) return { isTaken: true, bucket: { tokens: Math.max(0, tokens - 1), time: now } };
  const seconds = ((1 - tokens) * MINUTE) / limit.rpm / 1000;
  return { isTaken: false, retryAfter: Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.ceil(seconds - ROUNDING))) };
}

/** Puts back a token of a call that did not go on. A bucket never holds more than its limit. */
export function give(bucket: Bucket | undefined, limit: RateLimit, now: number): Bucket {
  const { tokens, time } = refill(bucket, limit, now);
  return { tokens: Math.min(limit.burst, tokens + 1), time };
}

/**
 * A bucket as it is now, by the current limit, which it never exceeds, whatever it was left with. A bucket from the future, since the clock
 * was set back, counts as left just now: nobody waits until the clock is there again.
 */
export function refill(bucket: Bucket | undefined, { rpm, burst }: RateLimit, now: number): Bucket {
  if (bucket === undefined) return { tokens: burst, time: now };
  const gained = (Math.max(0, now - bucket.time) * rpm) / MINUTE;
  return { tokens: Math.min(burst, Math.max(0, bucket.tokens) + gained), time: now };
}

/** The time when a bucket will be full if nobody takes from it, in whole milliseconds since the epoch. */
export function fullAt({ tokens, time }: Bucket, { rpm, burst }: RateLimit): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(time + ((burst - tokens) * MINUTE) / rpm));
}

/**
 * The buckets that a call takes from: its server's, and its tool's if the policy names that. None if nothing is limited, and none for methods
 * that are no client calls. An agent makes very many calls of its own tools, so only limits that the policy names for them count. Keys are
 * unambiguous, so that no server shares one with a tool of another, whatever their names are.
 */
export function limitsOf({ enabled, default: fallback, servers }: RateLimits, call: Call): readonly NamedLimit[] {
  if (!enabled || !CLIENT_CALLS.has(call.method)) return [];
  const own = servers.get(call.server);
  const limit = call.origin === 'native' ? own?.limit : (own?.limit ?? fallback);
  const found: NamedLimit[] = limit === undefined ? [] : [{ ...limit, key: JSON.stringify([call.server]), of: 'server' }];
  const tool = call.tool === undefined ? undefined : own?.tools.get(call.tool);
  if (tool !== undefined) found.push({ ...tool, key: JSON.stringify([call.server, call.tool]), of: 'tool' });
  return found;
}
