import type { Bucket } from '../../core/facts.ts';
import type { Buckets, Store } from '../../gate/ports/ports.ts';

const SCOPE = 'rate';

/** Keeps rate buckets in the state that processes share; a full one is dropped. */
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

/** Parses a bucket. An edited row counts as empty: it must not allow extra calls. */
function parseBucket(text: string): Bucket {
  try {
    const [tokens, time] = JSON.parse(text) as readonly unknown[];
    if (Number.isFinite(tokens) && Number.isFinite(time)) return { tokens: Number(tokens), time: Number(time) };
  } catch {
    // It counts as empty, as below.
  }
  return { tokens: 0, time: Number.POSITIVE_INFINITY };
}
