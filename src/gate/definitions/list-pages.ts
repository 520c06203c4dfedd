import type { JsonObject } from '../../core/json.ts';
import type { Definition, DefinitionKind } from '../../core/registry/definition.ts';
import { type Listing, readListing } from '../../core/registry/read-listing.ts';
import { hasClearDeclarationKeys } from '../../protocol/key-check.ts';
import type { ListMethod } from '../messages/list-methods.ts';
import { readList } from '../messages/message-parts.ts';

/** The answer to a list request. */
export interface ReadPage {
  readonly result: JsonObject;
  /** The listed definitions, read on first use. */
  readonly listing: Listing;
}

/** Most bytes of a list that is parsed before its keys are known to be clear, which takes memory. */
const MOST_READ_FIRST = 2 * 1024 * 1024;

/** Most names that are remembered of one connection's lists; no honest server has more. */
export const MOST_NAMES = 20_000;

/** A page's place in its list. */
interface Place {
  /** The requested cursor: empty for the list's beginning, undefined if unknown. */
  readonly cursor: string | undefined;
  /** Cursor of the next page; undefined for the last one. */
  readonly next: string | undefined;
}

/** The pages of a list that have come so far. */
interface Pages {
  /** Fingerprints by name. */
  readonly names: Map<string, string>;
  /** Cursor of the next page. */
  next: string;
}

/** Joins the pages of lists, to learn which names none of them has, and which several of them have. */
export class ListPages {
  /** Lists whose last page has not come; those whose first page was not seen are left out. */
  readonly #lists = new Map<DefinitionKind, Pages>();

  /** The fingerprint that an earlier page of the list gave this name, if one did. @param cursor of the page that has the name again */
  earlier(kind: DefinitionKind, cursor: string | undefined, name: string): string | undefined {
    const pages = this.#lists.get(kind);
    return pages?.next === cursor ? pages?.names.get(name) : undefined;
  }

  /**
   * Follows a list; call it for each page. A page that does not continue the list, such as one that a client asks for a second time, or by
   * a cursor of its own making, is ignored.
   *
   * @returns all names of the list, if this was its last page and all pages were seen
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

/** Parses lists, and caches the last one: a waiting list is asked for several times. */
export class ListReader {
  #last: { readonly key: string; readonly page: ReadPage | undefined } | undefined;

  /**
   * @param digest of the bytes
   * @param bytes of the result
   * @returns undefined if they are no JSON object
   */
  read({ kind }: Pick<ListMethod, 'kind'>, digest: string, bytes: Buffer): ReadPage | undefined {
    const key = `${kind} ${digest}`;
    if (this.#last?.key === key) return this.#last.page;
    const result = readList(bytes, 0, bytes.length);
    const page = result === undefined ? undefined : new LazyPage(kind, result);
    this.#last = { key, page };
    return page;
  }

  /** Drops the cached list, which has gone on. */
  forget(): void {
    this.#last = undefined;
  }
}

/**
 * Tells whether all readers read the same in a list, judging by its parsed value. The list is parsed in any case, so this costs little; if
 * false, its text has to be scanned.
 *
 * @param keys their number in the text
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
