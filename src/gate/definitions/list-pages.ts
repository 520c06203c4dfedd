import type { JsonObject } from '../../core/json.ts';
import type { Definition, DefinitionKind } from '../../core/registry/definition.ts';
import { type Listing, readListing } from '../../core/registry/read-listing.ts';
import { hasClearDeclarationKeys } from '../../protocol/key-check.ts';
import type { ListMethod } from '../messages/list-methods.ts';
import { readList } from '../messages/message-parts.ts';

/** The answer to a list request. */
export interface ReadPage {
  readonly result: JsonObject;
  /** What it declares: worked out when it is first asked for. */
  readonly listing: Listing;
}

/** Bytes of a list that is read before it is known to be clear, which takes memory. */
const MOST_READ_FIRST = 2 * 1024 * 1024;

/** Names that are remembered of one connection's lists; more are no honest server's. */
export const MOST_NAMES = 20_000;

/** Where a page lies in its list. */
interface Place {
  /** Where it was asked to begin: empty for the list's beginning, undefined where that is not known. */
  readonly cursor: string | undefined;
  /** Where the next page begins; undefined for the last one. */
  readonly next: string | undefined;
}

/** The pages of a list that have come so far. */
interface Pages {
  /** What they had, by name: fingerprints. */
  readonly names: Map<string, string>;
  /** Where the list goes on. */
  next: string;
}

/** Puts the pages of lists together, so that it is known what none of them has, and what several of them have. */
export class ListPages {
  /** Lists whose end has not come; nothing of those whose beginning was not seen. */
  readonly #lists = new Map<DefinitionKind, Pages>();

  /** Fingerprint under which an earlier page of the list had this name, if one had. @param cursor where the page that has it again begins */
  earlier(kind: DefinitionKind, cursor: string | undefined, name: string): string | undefined {
    const pages = this.#lists.get(kind);
    return pages?.next === cursor ? pages?.names.get(name) : undefined;
  }

  /**
   * To be called for each page that comes. One that the list does not go on with, such as one that a client asks for a second time, or
   * by a cursor of its own making, is no part of it.
   *
   * @returns all names of the list, where this was its last page and all of them were seen
   */
  follow(kind: DefinitionKind, definitions: readonly Definition[], { cursor, next }: Place): ReadonlySet<string> | undefined {
    const isFirst = cursor === '';
    const pages = isFirst ? { names: new Map<string, string>(), next: '' } : this.#lists.get(kind);
    if (pages === undefined || (!isFirst && pages.next !== cursor)) return undefined;
    for (const { name, fingerprint } of definitions) pages.names.set(name, fingerprint);
    const isTooLong = pages.names.size > MOST_NAMES;
    if (next === undefined || isTooLong) this.#lists.delete(kind);
    else this.#lists.set(kind, { ...pages, next });
    return next === undefined && !isTooLong ? new Set(pages.names.keys()) : undefined;
  }
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
