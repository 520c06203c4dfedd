import type { Span } from '../../protocol/message.ts';
import type { ChangingList, Declaring } from './list-methods.ts';
import type { IdKey } from './id-key.ts';
import type { ForwardedCall } from '../recorder.ts';
import type { Outcome } from '../calls/review.ts';

/** A request that waits for its answer. */
export interface PendingRequest {
  readonly key: IdKey;
  /** The id as JSON text, if it differs from the key's. */
  readonly spelling: string | undefined;
  readonly method: string;
  /** Makes the answer that denies it, if its own answer asks for something that is denied. */
  readonly deny: ((outcome: Outcome) => string) | undefined;
  /** Its batch, which gets one answer for all. */
  readonly batch: BatchAnswer | undefined;
  /** Its call, if flow or rate rules follow it. */
  readonly trackedCall?: ForwardedCall | undefined;
  /** Its call, if findings in its answer name it. */
  readonly scannedCall?: ForwardedCall | undefined;
  /** Declarations in its answer; undefined for most. */
  readonly declaring?: Declaring | undefined;
  /** Lists whose changes it asks to be told, until its answer comes. */
  readonly listening?: ReadonlySet<ChangingList> | undefined;
  /** True if the sender has withdrawn it: nobody waits for an answer. */
  isCancelled: boolean;
}

/** The id of a request as it was sent. */
export function idOf({ key, spelling }: PendingRequest): string {
  return spelling ?? String(key);
}

/**
 * Most requests that may wait for their answers on one connection. Honest clients have a few dozen; without a bound, a server that never
 * answers would fill the memory.
 */
const MOST_PENDING = 65_536;

/** Most bytes of an id. Honest ones are numbers and UUIDs; each is remembered until its answer comes. */
const LONGEST_ID = 1024;

/** The requests of one direction that wait for an answer, by the key of their id. */
export class PendingRequests {
  /** A request of which only the method matters is stored as that text: thousands may wait at once, and objects would cost more. */
  readonly #requests = new Map<IdKey, PendingRequest | string>();
  #cancelled = 0;

  /**
   * The reason why a request with this id can't be taken now, or undefined.
   *
   * @param span of the id in its message
   */
  findObstacle(key: IdKey, span?: Span): string | undefined {
    if (span !== undefined && span.end - span.start > LONGEST_ID) return `its id is longer than ${LONGEST_ID} bytes`;
    if (this.#requests.has(key)) return 'its id is in use by a request that has no answer yet';
    // Servers need not answer cancelled requests, which would fill the room over a long connection.
    if (this.#requests.size >= MOST_PENDING && this.#cancelled > 0) this.#forgetCancelled();
    return this.#requests.size >= MOST_PENDING ? 'too many requests have no answer yet' : undefined;
  }

  get size(): number {
    return this.#requests.size;
  }

  add(request: PendingRequest): void {
    this.#requests.set(request.key, request);
  }

  /** Adds a request of which only the method will matter when its answer comes. */
  addPlain(key: number, method: string): void {
    this.#requests.set(key, method);
  }

  get(key: IdKey): PendingRequest | undefined {
    const request = this.#requests.get(key);
    if (typeof request !== 'string') return request;
    const whole = toWhole(key, request);
    this.#requests.set(key, whole);
    return whole;
  }

  /** Works like `get`, but takes no memory. */
  peek(key: IdKey): Pick<PendingRequest, 'method' | 'scannedCall' | 'isCancelled'> | undefined {
    const request = this.#requests.get(key);
    return typeof request === 'string' ? { method: request, isCancelled: false } : request;
  }

  /** The open subscriptions to list changes. */
  listening(): readonly PendingRequest[] {
    const listening: PendingRequest[] = [];
    for (const request of this.#requests.values())
      if (typeof request !== 'string' && request.listening !== undefined && !request.isCancelled) listening.push(request);
    return listening;
  }

  /** Forgets a plain request, since its answer has come. False, and nothing changes, if there is none with this key. */
  takePlain(key: IdKey): boolean {
    if (typeof this.#requests.get(key) !== 'string') return false;
    this.#requests.delete(key);
    return true;
  }

  /** Marks a request as cancelled; it stays known, so that its answer is recognised. */
  cancel(request: PendingRequest): void {
    if (!request.isCancelled) this.#cancelled++;
    request.isCancelled = true;
  }

  /** Removes a request and returns it, since its answer has come. */
  take(key: IdKey): PendingRequest | undefined {
    const request = this.get(key);
    if (request === undefined) return undefined;
    this.#requests.delete(key);
    if (request.isCancelled) this.#cancelled--;
    return request;
  }

  /** Removes all requests and returns them, in the order they were sent. */
  takeAll(): PendingRequest[] {
    // Usually there are none between two HTTP requests, and clearing a map allocates a new one.
    if (this.#requests.size === 0) return [];
    const all = [...this.#requests].map(([key, request]) => (typeof request === 'string' ? toWhole(key, request) : request));
    this.#requests.clear();
    this.#cancelled = 0;
    return all;
  }

  #forgetCancelled(): void {
    for (const [key, request] of this.#requests) {
      if (typeof request !== 'string' && request.isCancelled) this.#requests.delete(key);
    }
    this.#cancelled = 0;
  }
}

function toWhole(key: IdKey, method: string): PendingRequest {
  return { key, spelling: undefined, method, deny: undefined, batch: undefined, declaring: undefined, isCancelled: false };
}

/**
 * Collects the one answer to a batch (MCP 2025-03-26; JSON-RPC 2.0 §6): an array of the answers to its requests. It is complete when every
 * request has its answer or was withdrawn.
 */
export class BatchAnswer {
  /** Number of requests that wait under each key: a batch may wrongly repeat an id, and either is answered. */
  readonly #waiting = new Map<IdKey, number>();
  readonly #answers: { text: string; readonly unrecorded?: (() => string) | undefined }[] = [];
  /** True once the batch's allowed messages have gone on; false while somebody is asked about one of them and none has been sent. */
  isSent = false;

  /** @param keys of the ids of the batch's requests */
  constructor(keys: readonly IdKey[]) {
    for (const key of keys) this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
  }

  /**
   * Takes the answer to one request.
   *
   * @param answer JSON text of the answer; undefined if the request was withdrawn
   * @param unrecorded makes the replacement if the decision is not on record
   * @returns the whole batch's answer as a line once it is complete, an empty text if it has none, undefined before
   */
  settle(key: IdKey, answer: string | undefined, unrecorded?: () => string): string | undefined {
    const count = this.#waiting.get(key);
    if (count === undefined) return undefined;
    if (count > 1) this.#waiting.set(key, count - 1);
    else this.#waiting.delete(key);
    if (answer !== undefined) this.#answers.push({ text: answer.trimEnd(), unrecorded });
    return this.#whole();
  }

  /** Removes the names of records that were not written. @returns the whole answer, as `settle` does */
  lose(): string | undefined {
    for (const answer of this.#answers) answer.text = answer.unrecorded?.().trimEnd() ?? answer.text;
    return this.#whole();
  }

  #whole(): string | undefined {
    if (this.#waiting.size > 0) return undefined;
    return this.#answers.length === 0 ? '' : `[${this.#answers.map(({ text }) => text).join(',')}]\n`;
  }
}
