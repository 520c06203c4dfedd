import { readsPaths } from '../../relation/arg-relation.ts';
import { namesImply } from '../../relation/condition-relation.ts';
import { includesGlob } from '../../relation/glob-language.ts';
import { literalsOf } from '../../relation/name-relation.ts';
import { areRulesDisjoint, covers, coversAsWritten, withMethod } from '../../relation/rule-relation.ts';
import type { Call } from '../../../core/call.ts';
import type { Rule } from '../../../core/policy/types.ts';
import type { CoverSearch } from '../cover-search.ts';
import type { LintFinding, LintRule, LintSubject } from '../finding.ts';
import { actionWord, ruleName } from '../rule-fields.ts';
import { ANY_SERVER, findSharedCall } from '../shared-call.ts';

/** Pairs of rules for which a call is looked for; policies as people write them have some hundreds. */
const MOST_PAIRS = 5000;

/** A rule that denies, below one that allows some of what it would deny. */
export const partlyShadowed: LintRule = {
  id: 'partly-shadowed',
  severity: 'warning',
  summary: 'A rule above allows some of what a narrower rule denies or asks about.',
  *find(subject) {
    let left = MOST_PAIRS;
    const allows: Rule[] = [];
    for (const rule of subject.policy.rules) {
      if (rule.action === 'allow') allows.push(rule);
      else if (left > 0 && allows.length > 0 && findShadow(rule, subject.covers) === undefined) {
        left -= allows.length;
        const finding = findHole(rule, allows, subject);
        if (finding !== undefined) yield finding;
      }
    }
  },
};

/** A rule that never decides, since rules above it take all of its calls. */
export const shadowedRule: LintRule = {
  id: 'shadowed-rule',
  severity: 'warning',
  summary: 'A rule never decides: rules above it match every call that it matches.',
  *find({ policy, covers: search }) {
    for (const rule of policy.rules) {
      const finding = findShadow(rule, search);
      if (finding !== undefined) yield finding;
    }
  },
};

/** Finds a rule that rules above cover in full; undefined if none do, or if it is part of a contradiction. */
function findShadow(rule: Rule, search: CoverSearch): LintFinding | undefined {
  const above = search.firstAbove(rule);
  if (above !== undefined) {
    // Rules that cover each other and disagree are reported by `contradictoryRule`.
    if (above.action !== rule.action && coversAsWritten(rule, above)) return undefined;
    const isSure = covers(above, rule);
    // If the two disagree, the one that never decides may be the one that is meant: a person has to choose.
    return describe(rule, [above], isSure && above.action === rule.action && isRemovable(above, rule));
  }
  const parts = coveringParts(rule, search);
  return parts === undefined ? undefined : describe(rule, parts, false);
}

/** Rules above that cover the globs of its tool one by one; undefined if one of these is left. */
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
  // The calls that it would deny or ask about pass: the policy has a hole.
  const isHole = rule.action !== 'allow' && above.some(({ action }) => action === 'allow');
  const names = above.map(ruleName).join(' and ');
  const verb = above.length === 1 ? 'matches' : 'together match';
  return {
    path: ['rule', rule.index],
    message: `${ruleName(rule)} never decides: ${names} above ${verb} every call that it matches`,
    hint: isOther
      ? 'the first rule that matches decides: move the narrower rule up, or remove it'
      : 'remove it, or move it up if it should decide by itself',
    ...(isHole ? { severity: 'error' } : {}),
    related: above.map((other) => ({ path: ['rule', other.index], message: `${ruleName(other)} ${actionWord(other)} first` })),
    ...(isFixable ? { removesRule: rule.index } : {}),
  };
}

/** Tells whether a rule can go. Both rules decide which paths the disk is asked for, and so whether a call has too many of them. */
function isRemovable(above: Rule, rule: Rule): boolean {
  const readsNone = ({ resource, args, unless }: Rule): boolean =>
    ![...args, ...(unless?.args ?? [])].some(({ matcher }) => readsPaths(matcher)) &&
    ![resource, unless?.resource].some((matcher) => matcher !== undefined && readsPaths(matcher));
  const isSettled =
    above.args.length === 0 && above.resource === undefined && above.unless === undefined && above.category === undefined;
  return readsNone(rule) || (isSettled && above.fingerprint === undefined);
}

function findHole(rule: Rule, allows: readonly Rule[], { policy }: LintSubject): LintFinding | undefined {
  for (const above of allows) {
    if (isException(above, rule) || areRulesDisjoint(above, rule)) continue;
    const call = findSharedCall(above, rule, policy);
    if (call === undefined) continue;
    const verb = rule.action === 'deny' ? 'denies' : 'asks about';
    return {
      path: ['rule', rule.index],
      message: `${ruleName(rule)} ${verb} less than it says: ${ruleName(above)} above allows ${describeCall(call, [above, rule].every(isAboutAllTools))} first`,
      hint: 'the first rule that matches decides: move the rule up, above the one that allows',
      related: [{ path: ['rule', above.index], message: `${ruleName(above)} allows first` }],
    };
  }
  return undefined;
}

/**
 * Tells whether `above` is meant as an exception: it is narrower than the rule below in each respect, or it names tools of a named server.
 * All tools of a server are no exception from a rule that looks at more than names: nothing shows that it was thought of.
 */
function isException(above: Rule, rule: Rule): boolean {
  if (coversAsWritten(rule, above)) return true;
  if (!namesImply(withMethod(above), withMethod(rule))) return false;
  if (above.args.length > 0) return areGlobsWithin(above, rule);
  const isOfServer = above.server !== undefined && literalsOf(above.server) !== undefined;
  return isOfServer && !isAboutAllTools(above) && (rule.server === undefined || rule.action === 'prompt');
}

function isAboutAllTools({ tool }: Rule): boolean {
  return tool?.op === 'globs' && tool.patterns.some((pattern) => /^\*+$/.test(pattern));
}

/** Tells whether all that `above` allows for an argument is named by `rule`, as written, wherever the arguments stand. */
function areGlobsWithin(above: Rule, rule: Rule): boolean {
  const globsOf = ({ args }: Rule): readonly string[] =>
    args.flatMap(({ matcher }) => (matcher.op === 'globs' ? matcher.patterns : []));
  const wider = globsOf(rule);
  return above.args.some(({ matcher }) => {
    return matcher.op === 'globs' && matcher.patterns.every((glob) => wider.some((other) => includesGlob(other, glob)));
  });
}

/** @param isAny true if neither rule names a tool, so that the call's name is made up */
function describeCall({ tool, server, args }: Call, isAny: boolean): string {
  const names = Object.entries(args ?? {}).map(([name, value]) => ` with ${name} ${JSON.stringify(value)}`);
  return `${isAny ? 'any tool' : tool}${names.join(' and')}${server === undefined || server === ANY_SERVER ? '' : ` of ${server}`}`;
}
