import type { Definition, DefinitionKind } from '../core/registry/definition.ts';

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
