import type { Look } from '../../core/detect/look.ts';
import type { Definition } from '../../core/registry/definition.ts';
import type { Transaction } from '../recorder.ts';

/** What a look is known by. */
export type Looked = Pick<Definition, 'kind' | 'name' | 'fingerprint'>;

/** More than one list may have; then all are forgotten, and known by the registry alone. */
const MOST_KNOWN = 150_000;

/** What was found in the definitions of one connection's server, by one version of the rules, and whether that is on record. */
export class KnownLooks {
  readonly #looks = new Map<string, Look>();
  /** Those that are on record, and the transaction that they were recorded in. */
  readonly #saved = new Map<string, Readonly<Transaction>>();
  #version = '';

  /** Under other rules, nothing was looked at. @returns whether all is forgotten */
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
