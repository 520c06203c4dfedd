import type { Definition, DefinitionKind } from '../core/registry/definition.ts';

/** Names that are remembered of one connection's lists; more are no honest server's. */
export const MOST_NAMES = 20_000;

/** Puts the pages of lists together, so that it is known what none of them has. */
export class ListPages {
  /** Names on the pages that have come so far; nothing of a list whose beginning was not seen. */
  readonly #names = new Map<DefinitionKind, Set<string>>();

  /** @returns all names of the list, where this was its last page and all of them were seen */
  follow(
    kind: DefinitionKind,
    definitions: readonly Definition[],
    { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
  ): ReadonlySet<string> | undefined {
    if (isFirst) this.#names.set(kind, new Set());
    const names = this.#names.get(kind);
    if (names === undefined) return undefined;
    for (const { name } of definitions) names.add(name);
    const isTooLong = names.size > MOST_NAMES;
    if (isLast || isTooLong) this.#names.delete(kind);
    return isLast && !isTooLong ? names : undefined;
  }
}
