import type { Call } from '../../core/call.ts';
import type { Bucket } from '../../core/facts.ts';
import type { NamedLimit } from '../../core/finding.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import { fullAt, give, limitsOf, refill, take } from '../../core/decide/rate-limits.ts';
import type { Snapshot } from '../../core/decide/snapshot.ts';
import type { Ports } from '../ports/ports.ts';

/**
 * How often servers are called, counted by all processes of a user together. Each method is called between the sink's `begin` and
 * `commit` and is part of that transaction, so that of simultaneous calls no two take the same token. Where the policy limits nothing,
 * nothing is read or written. Only calls of the client's are to be asked about here. Each throws where the store fails.
 *
 * A call takes its tokens when it is let go on, or when a person is asked about it: what is reserved cannot be taken by another call
 * meanwhile, and however many wait, no more of them go on than there were tokens. When it does not go on after all, they are put back.
 * Nobody puts them back where the process dies while a person is asked; they come back as all tokens do, by time.
 */
export class Rates {
  readonly #ports: Pick<Ports, 'buckets' | 'clock'>;
  readonly #policy: () => CompiledPolicy;

  constructor(ports: Pick<Ports, 'buckets' | 'clock'>, policy: () => CompiledPolicy) {
    this.#ports = ports;
    this.#policy = policy;
  }

  /** The buckets that the call would take from, for its decision; undefined where nothing limits it. */
  snapshot(call: Call): Snapshot['rates'] | undefined {
    const limits = this.#limitsOf(call);
    if (limits.length === 0) return undefined;
    const now = this.#ports.clock.now();
    const buckets = new Map<string, Bucket>();
    for (const limit of limits) {
      const bucket = this.#ports.buckets.read(limit.key, now);
      if (bucket === undefined) continue;
      buckets.set(limit.key, bucket);
      // The clock was set back. A denial writes nothing else, and what is not written now counts as left just now at the next call too.
      if (bucket.time > now) this.#write(limit, refill(bucket, limit, now));
    }
    return { now, buckets };
  }

  /**
   * Takes a token for a call that goes on, or that a person is asked about; not for one that was denied, which costs nothing. A bucket
   * without a token stays as it is: the decision was made in this very transaction, or by a policy with other limits.
   */
  spend(call: Call): void {
    const now = this.#ports.clock.now();
    for (const limit of this.#limitsOf(call)) {
      const taking = take(this.#ports.buckets.read(limit.key, now), limit, now);
      if (taking.isTaken) this.#write(limit, taking.bucket);
    }
  }

  /**
   * Puts back what `spend` took for a call that did not go on: it was refused, nobody answered, it was withdrawn. To be called once. It
   * goes by the limits that there are now; where they were changed meanwhile, a bucket may be given a token that it was not taken from,
   * and still holds no more than its limit allows.
   */
  refund(call: Call): void {
    const now = this.#ports.clock.now();
    for (const limit of this.#limitsOf(call)) {
      const bucket = this.#ports.buckets.read(limit.key, now);
      // One that is full again has got it back by time.
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
