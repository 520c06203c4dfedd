import { readsPaths } from '../../relation/arg-relation.ts';
import { covers, coversAsWritten } from '../../relation/rule-relation.ts';
import type { Rule } from '../../types.ts';
import type { CoverSearch } from '../cover-search.ts';
import type { LintFinding, LintRule } from '../finding.ts';
import { actionWord, ruleName } from '../rule-name.ts';

/** A rule that never decides, since rules above it take all of its calls. */
export const shadowedRule: LintRule = {
  id: 'shadowed-rule',
  severity: 'warning',
  summary: 'A rule never decides: rules above it match whatever it would.',
  *find({ policy, covers: search }) {
    for (const rule of policy.rules) {
      const finding = findShadow(rule, search);
      if (finding !== undefined) yield finding;
    }
  },
};

/** What is to say of a rule that rules above cover in full; undefined where none do, or where that is a contradiction's. */
export function findShadow(rule: Rule, search: CoverSearch): LintFinding | undefined {
  const above = search.firstAbove(rule);
  if (above !== undefined) {
    // The same the other way round is another lint rule's.
    if (above.action !== rule.action && coversAsWritten(rule, above)) return undefined;
    const isSure = covers(above, rule);
    // Where the two disagree, the one that never decides may be the one that is meant: a person has to choose.
    return describe(rule, [above], isSure && above.action === rule.action && isRemovable(above, rule));
  }
  const parts = coveringParts(rule, search);
  return parts === undefined ? undefined : describe(rule, parts, false);
}

/** Rules above that cover the globs of its tool one by one; undefined where one of these is left. */
function coveringParts(rule: Rule, search: CoverSearch): readonly Rule[] | undefined {
  const { tool } = rule;
  if (tool?.op !== 'globs' || tool.patterns.length < 2) return undefined;
  const found = new Set<Rule>();
  for (const pattern of tool.patterns) {
    const part: Rule = { ...rule, tool: { op: 'globs', patterns: [pattern] } };
    const above = search.firstAbove(part);
    if (above === undefined) return undefined;
    found.add(above);
  }
  return [...found].toSorted((a, b) => a.index - b.index);
}

function describe(rule: Rule, above: readonly Rule[], isFixable: boolean): LintFinding {
  const isOther = above.some(({ action }) => action !== rule.action);
  // What it would deny or ask about passes: the policy has a hole where somebody thought of a fence.
  const isHole = rule.action !== 'allow' && above.some(({ action }) => action === 'allow');
  const names = above.map(ruleName).join(' and ');
  const verb = above.length === 1 ? 'matches' : 'together match';
  return {
    path: ['rule', rule.index],
    message: `${ruleName(rule)} never decides: ${names} above ${verb} every call that it would`,
    hint: isOther
      ? 'the first rule that matches decides: move the narrower rule up, or remove it'
      : 'remove it, or move it up if it should decide by itself',
    ...(isHole ? { severity: 'error' } : {}),
    related: above.map((other) => ({ path: ['rule', other.index], message: `${ruleName(other)} ${actionWord(other)} first` })),
    ...(isFixable ? { removesRule: rule.index } : {}),
  };
}

/** Which paths the disk is asked for, and so whether a call has too many of them, depends on both rules. */
function isRemovable(above: Rule, rule: Rule): boolean {
  const readsNone = ({ resource, args, unless }: Rule): boolean =>
    ![...args, ...(unless?.args ?? [])].some(({ matcher }) => readsPaths(matcher)) &&
    ![resource, unless?.resource].some((matcher) => matcher !== undefined && readsPaths(matcher));
  const isSettled =
    above.args.length === 0 && above.resource === undefined && above.unless === undefined && above.category === undefined;
  return readsNone(rule) || (isSettled && above.fingerprint === undefined);
}
