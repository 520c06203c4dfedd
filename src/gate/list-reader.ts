import type { JsonObject } from '../core/json.ts';
import { type Listing, readListing } from '../core/registry/read-listing.ts';
import { hasClearDeclarationKeys } from '../protocol/key-check.ts';
import type { ListMethod } from './list-methods.ts';
import { readList } from './message-parts.ts';

/** The answer to a list request. */
export interface ReadPage {
  readonly result: JsonObject;
  /** What it declares: worked out when it is first asked for. */
  readonly listing: Listing;
}

/** Reads lists. One that waits until it was looked at is asked for by several, and read once. */
export class ListReader {
  #last: { readonly key: string; readonly page: ReadPage | undefined } | undefined;

  /**
   * @param digest of the bytes
   * @param bytes of the result
   * @returns undefined where they are no JSON object
   */
  read({ kind }: Pick<ListMethod, 'kind'>, digest: string, bytes: Buffer): ReadPage | undefined {
    const key = `${kind} ${digest}`;
    if (this.#last?.key === key) return this.#last.page;
    const result = readList(bytes, 0, bytes.length);
    const page = result === undefined ? undefined : new LazyPage(kind, result);
    this.#last = { key, page };
    return page;
  }

  /** What was read has gone on, and would only take memory. */
  forget(): void {
    this.#last = undefined;
  }
}

/** Bytes of a list that is read before it is known to be clear, which takes memory. */
const MOST_READ_FIRST = 2 * 1024 * 1024;

/**
 * Is it clear from what a list says that no two readers of its text read anything else? It is read in any case, and that much more is little
 * beside going through the text once more; where this is false, that has to be done.
 *
 * @param keys in the text
 */
export function isClearPage(
  { size, read }: { readonly size: number; readonly read: () => ReadPage | undefined },
  keys: number,
): boolean {
  const value = size <= MOST_READ_FIRST ? read()?.result : undefined;
  return value !== undefined && hasClearDeclarationKeys(value, keys);
}

class LazyPage implements ReadPage {
  readonly result: JsonObject;
  readonly #kind: ListMethod['kind'];
  #listing: Listing | undefined;

  constructor(kind: ListMethod['kind'], result: JsonObject) {
    this.#kind = kind;
    this.result = result;
  }

  get listing(): Listing {
    this.#listing ??= readListing(this.#kind, this.result);
    return this.#listing;
  }
}
