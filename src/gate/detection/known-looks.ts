import type { Look } from '../../core/detect/types.ts';
import type { Definition } from '../../core/registry/definition.ts';
import type { Transaction } from '../recorder.ts';

/** The identity of a looked-at definition. */
export type Looked = Pick<Definition, 'kind' | 'name' | 'fingerprint'>;

/** A list may have more; then all are forgotten, and only the registry knows them. */
const MOST_KNOWN = 150_000;

/** Looks at the definitions of one connection's server by one version of the rules, and whether they are on record. */
export class KnownLooks {
  readonly #looks = new Map<string, Look>();
  /** Recorded looks, and the transactions that they were recorded in. */
  readonly #saved = new Map<string, Readonly<Transaction>>();
  #version = '';

  /** Forgets all looks when the rules have changed. @returns whether it did */
  follow(version: string): boolean {
    if (version === this.#version && this.#looks.size < MOST_KNOWN) return false;
    this.#version = version;
    this.#looks.clear();
    this.#saved.clear();
    return true;
  }

  get isEmpty(): boolean {
    return this.#looks.size === 0;
  }

  get(definition: Looked): Look | undefined {
    return this.#looks.get(keyOf(definition));
  }

  set(definition: Looked, look: Look): void {
    this.#looks.set(keyOf(definition), look);
  }

  isSaved(definition: Looked): boolean {
    return this.#saved.get(keyOf(definition))?.isLost === false;
  }

  noteSaved(definition: Looked, transaction: Readonly<Transaction>): void {
    this.#saved.set(keyOf(definition), transaction);
  }
}

function keyOf({ kind, name, fingerprint }: Looked): string {
  return `${kind} ${fingerprint} ${name}`;
}
