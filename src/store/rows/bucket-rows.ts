import type { Bucket } from '../../core/facts.ts';
import type { Buckets, Store } from '../../gate/ports/ports.ts';

const SCOPE = 'rate';

/** Buckets among what processes agree on; one that is full again is forgotten. */
export class BucketRows implements Buckets {
  readonly #store: Pick<Store, 'read' | 'write'>;

  constructor(store: Pick<Store, 'read' | 'write'>) {
    this.#store = store;
  }

  read(key: string, now: number): Bucket | undefined {
    const text = this.#store.read(SCOPE, key, now);
    return text === undefined ? undefined : parseBucket(text);
  }

  write(key: string, { tokens, time }: Bucket, full: number): void {
    this.#store.write(SCOPE, key, JSON.stringify([tokens, time]), full);
  }
}

/** What was edited counts as empty: it must not give calls away. */
function parseBucket(text: string): Bucket {
  try {
    const [tokens, time] = JSON.parse(text) as readonly unknown[];
    if (Number.isFinite(tokens) && Number.isFinite(time)) return { tokens: Number(tokens), time: Number(time) };
  } catch {
    // As below.
  }
  return { tokens: 0, time: Number.POSITIVE_INFINITY };
}
