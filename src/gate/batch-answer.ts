import type { IdKey } from './id-key.ts';

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
