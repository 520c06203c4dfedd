import type { Bucket } from '../core/rate/bucket.ts';
import type { Buckets } from '../gate/ports.ts';

/** Does something with the buckets that there are; throws where there are none yet. */
export type UseBuckets = <T>(work: (buckets: Buckets) => T) => T;

/** Buckets that are elsewhere, as `LateRegistry` is. */
export class LateBuckets implements Buckets {
  readonly #use: UseBuckets;

  constructor(use: UseBuckets) {
    this.#use = use;
  }

  read(key: string, now: number): Bucket | undefined {
    return this.#use((buckets) => buckets.read(key, now));
  }

  write(key: string, bucket: Bucket, full: number): void {
    this.#use((buckets) => buckets.write(key, bucket, full));
  }
}
