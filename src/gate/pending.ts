import type { BatchAnswer } from './batch-answer.ts';
import { idKey } from './id-key.ts';
import type { Outcome } from './review.ts';

/** What is remembered of a request until its answer comes. */
export interface PendingRequest {
  /** The id as JSON text, as it was sent. */
  readonly id: string;
  readonly method: string;
  /** Makes the answer that denies it after all, where its own answer asks for something that is denied. */
  readonly deny?: (outcome: Outcome) => string;
  /** The batch that it came in, which gets one answer for all. */
  readonly batch: BatchAnswer | undefined;
  /** The sender has withdrawn it: nobody waits for an answer. */
  isCancelled: boolean;
}

/**
 * So many requests may wait for their answers on one connection. Honest clients have a few dozen; without a bound, a server that
 * never answers would make us remember for ever.
 */
const MOST_PENDING = 65_536;

/** The requests of one direction that wait for an answer, by id. */
export class PendingRequests {
  readonly #requests = new Map<string, PendingRequest>();

  /** Why a request with this id can't be taken now, or undefined. */
  findObstacle(id: string): string | undefined {
    if (this.#requests.has(idKey(id))) return 'its id is in use by a request that has no answer yet';
    return this.#requests.size >= MOST_PENDING ? 'too many requests have no answer yet' : undefined;
  }

  add(request: PendingRequest): void {
    this.#requests.set(idKey(request.id), request);
  }

  get(id: string): PendingRequest | undefined {
    return this.#requests.get(idKey(id));
  }

  /** Forgets a request and gives it back, since its answer has come. */
  take(id: string): PendingRequest | undefined {
    const key = idKey(id);
    const request = this.#requests.get(key);
    if (request !== undefined) this.#requests.delete(key);
    return request;
  }

  /** Forgets all and gives them back, in the order they were sent. */
  takeAll(): PendingRequest[] {
    const all = [...this.#requests.values()];
    this.#requests.clear();
    return all;
  }
}
