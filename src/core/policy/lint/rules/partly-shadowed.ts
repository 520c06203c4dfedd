import type { Call } from '../../../call.ts';
import { namesImply } from '../../relation/condition-relation.ts';
import { includesGlob } from '../../relation/glob-language.ts';
import { literalsOf } from '../../relation/name-relation.ts';
import { areRulesDisjoint, coversAsWritten, withMethod } from '../../relation/rule-relation.ts';
import type { Rule } from '../../types.ts';
import { ANY_SERVER, findSharedCall } from '../shared-call.ts';
import type { LintFinding, LintRule, LintSubject } from '../finding.ts';
import { ruleName } from '../rule-name.ts';
import { findShadow } from './shadowed-rule.ts';

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

function findHole(rule: Rule, allows: readonly Rule[], { policy }: LintSubject): LintFinding | undefined {
  for (const above of allows) {
    if (isException(above, rule) || areRulesDisjoint(above, rule)) continue;
    const call = findSharedCall(above, rule, policy);
    if (call === undefined) continue;
    const verb = rule.action === 'deny' ? 'denies' : 'asks about';
    return {
      path: ['rule', rule.index],
      message: `${ruleName(rule)} ${verb} less than it says: ${ruleName(above)} above allows ${describeCall(call)} before it is asked`,
      hint: 'the first rule that matches decides: move the rule up, above the one that allows',
      ...(isByChance(above, rule, call) ? { severity: 'info' } : {}),
      related: [{ path: ['rule', above.index], message: `${ruleName(above)} allows first` }],
    };
  }
  return undefined;
}

/** Whoever allows a part of what is denied below, or some tools of a server of theirs, means that. */
function isException(above: Rule, rule: Rule): boolean {
  if (coversAsWritten(rule, above)) return true;
  if (!namesImply(withMethod(above), withMethod(rule))) return false;
  if (above.args.length > 0) return areGlobsWithin(above, rule);
  const isOfServer = above.server !== undefined && literalsOf(above.server) !== undefined;
  return isOfServer && (rule.server === undefined || rule.action === 'prompt');
}

/** Do the two only happen to have a name in common, as `list_*` and `*_delete` have `list_delete`? There may be no such tool. */
function isByChance(above: Rule, rule: Rule, { tool }: Call): boolean {
  const isWritten = ({ tool: matcher }: Rule): boolean => matcher?.op === 'globs' && matcher.patterns.includes(tool ?? '');
  if (isWritten(above) || isWritten(rule)) return false;
  return !namesImply(withMethod(above), withMethod(rule)) && !namesImply(withMethod(rule), withMethod(above));
}

/** Is all that one rule allows for its arguments among what the other names? Told as written, wherever the arguments stand. */
function areGlobsWithin(above: Rule, rule: Rule): boolean {
  const globsOf = ({ args }: Rule): readonly string[] =>
    args.flatMap(({ matcher }) => (matcher.op === 'globs' ? matcher.patterns : []));
  const wider = globsOf(rule);
  return above.args.some(({ matcher }) => {
    return matcher.op === 'globs' && matcher.patterns.every((glob) => wider.some((other) => includesGlob(other, glob)));
  });
}

function describeCall({ tool, server, args }: Call): string {
  const names = Object.entries(args ?? {}).map(([name, value]) => ` with ${name} ${JSON.stringify(value)}`);
  return `${tool ?? ''}${names.join(' and')}${server === undefined || server === ANY_SERVER ? '' : ` of ${server}`}`;
}
