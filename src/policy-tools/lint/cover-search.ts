import { globOf } from '../relation/glob-language.ts';
import { literalsOf } from '../relation/name-relation.ts';
import { coversAsWritten } from '../relation/rule-relation.ts';
import type { Matcher, Rule } from '../../core/policy/types.ts';

/** Finds rules that may cover another, by the beginnings of the names that they are about. */
export interface CoverSearch {
  /** The rules that may cover this one, in file order; no other rule does. */
  candidates(rule: Rule): readonly Rule[];
  /** The first rule above that covers it as written. */
  firstAbove(rule: Rule): Rule | undefined;
}

export function createCoverSearch(rules: readonly Rule[]): CoverSearch {
  const byBeginning = new Map<string, Rule[]>();
  const anything: Rule[] = [];
  for (const rule of rules) {
    const beginnings = beginningsOf(rule.tool ?? rule.prompt);
    if (beginnings === undefined) anything.push(rule);
    else for (const beginning of new Set(beginnings)) addTo(byBeginning, beginning, rule);
  }
  const aboves = new Map<Rule, Rule | undefined>();
  const found = new Map<Rule, readonly Rule[]>();
  const search: CoverSearch = {
    firstAbove(rule) {
      if (!aboves.has(rule)) {
        const above = search.candidates(rule).find((other) => other.index < rule.index && coversAsWritten(other, rule));
        aboves.set(rule, above);
      }
      return aboves.get(rule);
    },
    candidates(rule) {
      const known = found.get(rule);
      if (known !== undefined) return known;
      // Whatever covers it covers the first of its globs, and begins with no more than that.
      const [name = ''] = beginningsOf(rule.tool ?? rule.prompt) ?? [];
      const others = new Set(anything);
      for (let length = 0; length <= name.length; length += 1) {
        for (const other of byBeginning.get(name.slice(0, length)) ?? []) others.add(other);
      }
      others.delete(rule);
      const inOrder = [...others].sort((a, b) => a.index - b.index);
      found.set(rule, inOrder);
      return inOrder;
    },
  };
  return search;
}

/** The beginnings of all names that match; undefined if they are not known. */
function beginningsOf(matcher: Matcher | undefined): readonly string[] | undefined {
  if (matcher === undefined) return undefined;
  if (matcher.op === 'globs') return matcher.patterns.map((pattern) => globOf(pattern).literalPrefix);
  return literalsOf(matcher);
}

function addTo(map: Map<string, Rule[]>, key: string, rule: Rule): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [rule]);
  else list.push(rule);
}
