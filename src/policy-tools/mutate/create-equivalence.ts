import { isPathLike } from '../../core/paths/path-forms.ts';
import type { Policy } from '../../core/policy/tables.ts';
import type { Rule } from '../../core/policy/types.ts';
import { PROJECT_FOLDER } from '../../core/self/own-paths.ts';
import { findsSameNul } from '../relation/condition-relation.ts';
import { includesGlob, refillSteps } from '../relation/glob-language.ts';
import { includesPathGlob } from '../relation/path-glob-relation.ts';
import { areRulesDisjoint, covers } from '../relation/rule-relation.ts';
import { findWitness, type GlobLists, type Mutant } from './mutant.ts';

type Compared = Pick<Mutant, 'policy' | 'rule' | 'swapped' | 'isDropped' | 'globs'>;

/**
 * Tells of a policy's mutants whether there is no call that they decide otherwise. True only if that is certain: rules that match the same
 * calls, neighbours that match no call both, rules that an earlier one never lets decide, and rules behind which all is decided the same.
 */
export function createEquivalence(policy: Policy): (mutant: Compared) => boolean {
  refillSteps();
  const coverers = new Map<number, readonly Rule[]>();
  const coverersOf = (rule: Rule, place: number): readonly Rule[] => {
    const known = coverers.get(place) ?? policy.rules.slice(0, place).filter((earlier) => covers(earlier, rule));
    coverers.set(place, known);
    return known;
  };
  return ({ policy: mutated, rule: place, swapped, isDropped, globs }) => {
    if (globs !== undefined && (matchSame(globs) || areOwnAnyway(globs))) return true;
    if (swapped !== undefined) return isFreeToSwap(policy.rules, swapped);
    const rule = place === undefined ? undefined : policy.rules[place];
    if (place === undefined || rule === undefined) return false;
    const changed = isDropped === true ? undefined : mutated.rules[place];
    if (coverersOf(rule, place).some((earlier) => changed === undefined || covers(earlier, changed))) return true;
    if (changed === undefined) return isDecidedSame(policy, rule, place);
    // A change of globs alone is settled by `matchSame`.
    if (globs !== undefined || changed.action !== rule.action) return false;
    return covers(rule, changed) && covers(changed, rule);
  };
}

function isFreeToSwap(rules: readonly Rule[], place: number): boolean {
  const [first, second] = rules.slice(place);
  return first !== undefined && second !== undefined && areRulesDisjoint(first, second);
}

/** Tells whether both lists of globs match the same texts. A text that tells them apart is mostly found at once. */
function matchSame({ before, after, readsPaths }: GlobLists): boolean {
  if (findWitness(before, after) !== undefined || findWitness(after, before) !== undefined) return false;
  // A list in which a glob is path-like has every form of a value looked at.
  if (readsPaths && before.some(isPathLike) !== after.some(isPathLike)) return false;
  const isPath = (pattern: string): boolean => readsPaths && isPathLike(pattern);
  const includes = (outer: string, inner: string): boolean => {
    if (isPath(outer) !== isPath(inner)) return false;
    return isPath(outer) ? includesPathGlob(outer, inner, 'any') : includesGlob(outer, inner);
  };
  const areIncluded = (inner: readonly string[], outer: readonly string[]): boolean =>
    inner.every((pattern) => outer.includes(pattern) || outer.some((other) => includes(other, pattern)));
  return areIncluded(before, after) && areIncluded(after, before);
}

/** Ends a path that names the folder of a project's own policy. */
const OWN_FOLDER = new RegExp(`(?:^|/)${PROJECT_FOLDER.replace('.', '\\.')}$`);

/**
 * Tells whether the changed globs are about nothing but what clawai's own guard denies before any rule. It takes every URI for a path, in
 * every reading, so that no rule is asked about one that ends so. Arguments may be something else than paths.
 */
function areOwnAnyway({ field, before, after }: GlobLists): boolean {
  const changed = [...before, ...after].filter((pattern) => before.includes(pattern) !== after.includes(pattern));
  return field === 'resource' && changed.every((pattern) => OWN_FOLDER.test(pattern)) && after.some(isPathLike);
}

/** Tells whether the rules behind a rule, or the default, decide the calls that it takes as it does. */
function isDecidedSame({ rules, defaults }: Policy, rule: Rule, place: number): boolean {
  const readsPaths = !findsNoNul(rule);
  for (const later of rules.slice(place + 1)) {
    if (later.action === rule.action) {
      // A path with a NUL byte is denied by the rule, and the later one may allow it or ask.
      if (covers(later, rule) && (!readsPaths || rule.action === 'deny')) return true;
      continue;
    }
    // The rule takes a call with a NUL byte without matching it.
    if (readsPaths || !areRulesDisjoint(rule, later)) return false;
  }
  // The default decides calls of MCP servers, and a name that belongs to no server only if that is not denied before.
  const isAboutCalls = rule.method === undefined && rule.server === undefined;
  const isUnmappedSame = defaults.unmappedTool === 'deny' || rule.action === 'allow';
  return isAboutCalls && isUnmappedSame && rule.action === defaults.action && (!readsPaths || rule.action === 'deny');
}

function findsNoNul({ unless, ...rule }: Rule): boolean {
  return findsSameNul(rule, { args: [] }) && (unless === undefined || findsSameNul(unless, { args: [] }));
}
