import type { IdKey } from './id-key.ts';

/**
 * Gathers the one answer to a batch (MCP 2025-03-26; JSON-RPC 2.0 §6): an array of the answers to its requests. It is complete when
 * every request has its answer or was withdrawn.
 */
export class BatchAnswer {
  readonly #waiting: Set<IdKey>;
  readonly #answers: string[] = [];

  /** @param keys of the ids of the batch's requests */
  constructor(keys: readonly IdKey[]) {
    this.#waiting = new Set(keys);
  }

  /**
   * Takes the answer to one request.
   *
   * @param answer JSON text of the answer; undefined where the request was withdrawn
   * @returns the whole batch's answer as a line once it is complete, an empty text where it has none, undefined before
   */
  settle(key: IdKey, answer: string | undefined): string | undefined {
    if (!this.#waiting.delete(key)) return undefined;
    if (answer !== undefined) this.#answers.push(answer.trimEnd());
    if (this.#waiting.size > 0) return undefined;
    return this.#answers.length === 0 ? '' : `[${this.#answers.join(',')}]\n`;
  }
}
