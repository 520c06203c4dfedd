import type { ScanResult } from '../../core/detect/types.ts';
import type { Definition } from '../../core/registry/definition.ts';
import type { Transaction } from '../recorder.ts';

/** Identifies a scanned definition. */
export type DefinitionIdentity = Pick<Definition, 'kind' | 'name' | 'fingerprint'>;

/** A list may have more; then all are forgotten, and only the registry knows them. */
const MOST_KNOWN = 150_000;

/** Keeps what scans of one connection's definitions found, by one version of the rules, and whether that is on record. */
export class KnownScans {
  readonly #results = new Map<string, ScanResult>();
  /** Recorded results, and the transactions that they were recorded in. */
  readonly #saved = new Map<string, Readonly<Transaction>>();
  #version = '';

  /** Forgets all results when the rules have changed. @returns whether it did */
  follow(version: string): boolean {
    if (version === this.#version && this.#results.size < MOST_KNOWN) return false;
    this.#version = version;
    this.#results.clear();
    this.#saved.clear();
    return true;
  }

  get isEmpty(): boolean {
    return this.#results.size === 0;
  }

  get(definition: DefinitionIdentity): ScanResult | undefined {
    return this.#results.get(keyOf(definition));
  }

  set(definition: DefinitionIdentity, result: ScanResult): void {
    this.#results.set(keyOf(definition), result);
  }

  isSaved(definition: DefinitionIdentity): boolean {
    return this.#saved.get(keyOf(definition))?.isLost === false;
  }

  noteSaved(definition: DefinitionIdentity, transaction: Readonly<Transaction>): void {
    this.#saved.set(keyOf(definition), transaction);
  }
}

function keyOf({ kind, name, fingerprint }: DefinitionIdentity): string {
  return `${kind} ${fingerprint} ${name}`;
}
