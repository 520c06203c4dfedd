import type { Span } from '../../protocol/message.ts';
import type { ChangingList, Declaring } from './list-methods.ts';
import type { IdKey } from './id-key.ts';
import type { Source } from '../recorder.ts';
import type { Outcome } from '../calls/review.ts';

/** What is remembered of a request until its answer comes. */
export interface PendingRequest {
  readonly key: IdKey;
  /** The id as JSON text, where that is not what the key says. */
  readonly spelling: string | undefined;
  readonly method: string;
  /** Makes the answer that denies it after all, where its own answer asks for something that is denied. */
  readonly deny: ((outcome: Outcome) => string) | undefined;
  /** The batch that it came in, which gets one answer for all. */
  readonly batch: BatchAnswer | undefined;
  /** The call that it is, where its session is looked back at. */
  readonly source?: Source | undefined;
  /** The call that it is, for what is found in its answer. */
  readonly about?: Source | undefined;
  /** What its answer declares; undefined for most. */
  readonly declaring?: Declaring | undefined;
  /** Lists of whose changes it asks to be told, until its answer comes. */
  readonly listening?: ReadonlySet<ChangingList> | undefined;
  /** The sender has withdrawn it: nobody waits for an answer. */
  isCancelled: boolean;
}

/** The id of a request as it was sent. */
export function idOf({ key, spelling }: PendingRequest): string {
  return spelling ?? String(key);
}

/**
 * So many requests may wait for their answers on one connection. Honest clients have a few dozen; without a bound, a server that
 * never answers would make us remember for ever.
 */
const MOST_PENDING = 65_536;

/** Bytes of an id. Honest ones are numbers and UUIDs; each is remembered until its answer comes. */
const LONGEST_ID = 1024;

/** The requests of one direction that wait for an answer, by the key of their id. */
export class PendingRequests {
  /** A request of which nothing but its method matters is that text alone: thousands may wait at once, and objects would cost more. */
  readonly #requests = new Map<IdKey, PendingRequest | string>();
  #cancelled = 0;

  /**
   * Why a request with this id can't be taken now, or undefined.
   *
   * @param span where the id lies in its message
   */
  findObstacle(key: IdKey, span?: Span): string | undefined {
    if (span !== undefined && span.end - span.start > LONGEST_ID) return `its id is longer than ${LONGEST_ID} bytes`;
    if (this.#requests.has(key)) return 'its id is in use by a request that has no answer yet';
    // Servers need not answer what was cancelled; over a long connection those would fill the room.
    if (this.#requests.size >= MOST_PENDING && this.#cancelled > 0) this.#forgetCancelled();
    return this.#requests.size >= MOST_PENDING ? 'too many requests have no answer yet' : undefined;
  }

  get size(): number {
    return this.#requests.size;
  }

  add(request: PendingRequest): void {
    this.#requests.set(request.key, request);
  }

  /** The same for a request of which nothing but its method will matter when its answer comes. */
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

  /** As `get`, for a look that takes no memory. */
  peek(key: IdKey): Pick<PendingRequest, 'method' | 'about' | 'isCancelled'> | undefined {
    const request = this.#requests.get(key);
    return typeof request === 'string' ? { method: request, isCancelled: false } : request;
  }

  /** Those that ask to be told of changes, and wait for that. */
  listening(): readonly PendingRequest[] {
    const listening: PendingRequest[] = [];
    for (const request of this.#requests.values())
      if (typeof request !== 'string' && request.listening !== undefined && !request.isCancelled) listening.push(request);
    return listening;
  }

  /** Forgets a plain request, since its answer has come. False where there is none with this key, and nothing has changed. */
  takePlain(key: IdKey): boolean {
    if (typeof this.#requests.get(key) !== 'string') return false;
    this.#requests.delete(key);
    return true;
  }

  /** Notes that nobody waits for the answer to this request any more; it is still known, so that the answer is. */
  cancel(request: PendingRequest): void {
    if (!request.isCancelled) this.#cancelled++;
    request.isCancelled = true;
  }

  /** Forgets a request and gives it back, since its answer has come. */
  take(key: IdKey): PendingRequest | undefined {
    const request = this.get(key);
    if (request === undefined) return undefined;
    this.#requests.delete(key);
    if (request.isCancelled) this.#cancelled--;
    return request;
  }

  /** Forgets all and gives them back, in the order they were sent. */
  takeAll(): PendingRequest[] {
    // Between two requests of HTTP there are none, as a rule, and a map makes itself anew when it is cleared.
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
 * Gathers the one answer to a batch (MCP 2025-03-26; JSON-RPC 2.0 §6): an array of the answers to its requests. It is complete when
 * every request has its answer or was withdrawn.
 */
export class BatchAnswer {
  /** How many requests wait under each key: a batch may wrongly have two, and either is answered. */
  readonly #waiting = new Map<IdKey, number>();
  readonly #answers: { text: string; readonly unrecorded?: (() => string) | undefined }[] = [];
  /** What may go on of the batch has gone on. Before, somebody is asked about one of its messages and none has been sent. */
  isSent = false;

  /** @param keys of the ids of the batch's requests */
  constructor(keys: readonly IdKey[]) {
    for (const key of keys) this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
  }

  /**
   * Takes the answer to one request.
   *
   * @param answer JSON text of the answer; undefined where the request was withdrawn
   * @param unrecorded makes the one that takes its place where what was decided is on no record
   * @returns the whole batch's answer as a line once it is complete, an empty text where it has none, undefined before
   */
  settle(key: IdKey, answer: string | undefined, unrecorded?: () => string): string | undefined {
    const count = this.#waiting.get(key);
    if (count === undefined) return undefined;
    if (count > 1) this.#waiting.set(key, count - 1);
    else this.#waiting.delete(key);
    if (answer !== undefined) this.#answers.push({ text: answer.trimEnd(), unrecorded });
    return this.#whole();
  }

  /** Takes back the names of records that were not written. @returns the whole answer, as `settle` does */
  lose(): string | undefined {
    for (const answer of this.#answers) answer.text = answer.unrecorded?.().trimEnd() ?? answer.text;
    return this.#whole();
  }

  #whole(): string | undefined {
    if (this.#waiting.size > 0) return undefined;
    return this.#answers.length === 0 ? '' : `[${this.#answers.map(({ text }) => text).join(',')}]\n`;
  }
}
