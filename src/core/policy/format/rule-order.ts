import type { PolicyPath } from '../types.ts';

/** What a rule is called and does, what it is about, and what is said of it. */
const RULE_ORDER = 'id action server method tool resource prompt category fingerprint args unless description message'.split(' ');

/**
 * Puts what is written in a table of a policy in its order: that of a rule, or of its `unless`. In other tables all stays where it is, and so
 * does what begins with the same key, such as `args.path` and `args.url`.
 *
 * @param keyOf the first key of each
 */
export function inOrder<T>(items: readonly T[], table: PolicyPath, keyOf: (item: T) => string): readonly T[] {
  const [first, index, inner] = table;
  const isRule = first === 'rule' && typeof index === 'number';
  if (!isRule || (table.length > 2 && !(table.length === 3 && inner === 'unless'))) return items;
  const rank = (item: T): number => {
    const at = RULE_ORDER.indexOf(keyOf(item));
    return at === -1 ? RULE_ORDER.length : at;
  };
  return items.toSorted((a, b) => rank(a) - rank(b));
}
