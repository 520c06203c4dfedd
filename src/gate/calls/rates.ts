import type { Call } from '../../core/call.ts';
import type { Bucket } from '../../core/facts.ts';
import type { NamedLimit } from '../../core/finding.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import { fullAt, give, limitsOf, refill, take } from '../../core/decide/rate-limits.ts';
import type { Snapshot } from '../../core/decide/snapshot.ts';
import type { Ports } from '../ports/ports.ts';

/**
 * Counts how often servers are called, for all processes of a user together. Each method is called between the sink's `begin` and `commit`
 * and is part of that transaction, so that simultaneous calls never take the same token. If the policy limits nothing, nothing is read or
 * written. Only calls of the client may be passed. Each method throws if the store fails.
 *
 * A call takes its tokens when it goes on, or when a person is asked about it: no other call can take reserved tokens, and however many
 * calls wait, no more go on than there were tokens. If a call does not go on after all, its tokens are put back. If the process dies while
 * a person is asked, they only come back by time, as all tokens do.
 */
export class Rates {
  readonly #ports: Pick<Ports, 'buckets' | 'clock'>;
  readonly #policy: () => CompiledPolicy;

  constructor(ports: Pick<Ports, 'buckets' | 'clock'>, policy: () => CompiledPolicy) {
    this.#ports = ports;
    this.#policy = policy;
  }

  /** The buckets that the call would take from, for its decision; undefined if nothing limits it. */
  snapshot(call: Call): Snapshot['rates'] | undefined {
    const limits = this.#limitsOf(call);
    if (limits.length === 0) return undefined;
    const now = this.#ports.clock.now();
    const buckets = new Map<string, Bucket>();
    for (const limit of limits) {
      const bucket = this.#ports.buckets.read(limit.key, now);
      if (bucket === undefined) continue;
      buckets.set(limit.key, bucket);
      // The clock was set back. A denial writes nothing else, and without this write the next call would again count the bucket as emptied
      // just now.
      if (bucket.time > now) this.#write(limit, refill(bucket, limit, now));
    }
    return { now, buckets };
  }

  /**
   * Takes a token for a call that goes on, or that a person is asked about; denied calls cost nothing. An empty bucket stays as it is: the
   * decision was made in this very transaction, or by a policy with other limits.
   */
  spend(call: Call): void {
    const now = this.#ports.clock.now();
    for (const limit of this.#limitsOf(call)) {
      const taking = take(this.#ports.buckets.read(limit.key, now), limit, now);
      if (taking.isTaken) this.#write(limit, taking.bucket);
    }
  }

  /**
   * Puts back the tokens that `spend` took for a call that did not go on: refused, unanswered or withdrawn. Call it once. It uses the
   * current limits: if they were changed meanwhile, a bucket may get a token that was not taken from it, but never more than its limit
   * allows.
   */
  refund(call: Call): void {
    const now = this.#ports.clock.now();
    for (const limit of this.#limitsOf(call)) {
      const bucket = this.#ports.buckets.read(limit.key, now);
      // A bucket without a record is full again and has got it back by time.
      if (bucket !== undefined) this.#write(limit, give(bucket, limit, now));
    }
  }

  #limitsOf(call: Call): readonly NamedLimit[] {
    return limitsOf(this.#policy().policy.rateLimits, call);
  }

  #write(limit: NamedLimit, bucket: Bucket): void {
    this.#ports.buckets.write(limit.key, bucket, fullAt(bucket, limit));
  }
}
