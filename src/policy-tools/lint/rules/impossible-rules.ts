import { areConditionsDisjoint, conditionsImply } from '../../relation/condition-relation.ts';
import { areNamesDisjoint, matchesNoName } from '../../relation/name-relation.ts';
import { coversAsWritten, modeOf, withMethod } from '../../relation/rule-relation.ts';
import { matchesNoValue } from '../../relation/value-relation.ts';
import { LIKE_METHODS, SUBJECT_METHODS } from '../../../core/call.ts';
import { flip } from '../../../core/match/match-context.ts';
import type { Matcher, Rule } from '../../../core/policy/types.ts';
import type { LintFinding, LintRule } from '../finding.ts';
import { actionWord, type FieldName, fieldsOf, type RuleField, ruleName } from '../rule-fields.ts';

/** An `unless` that excepts nothing. */
export const uselessException: LintRule = {
  id: 'useless-exception',
  severity: 'warning',
  summary: 'An "unless" matches no call that its rule matches.',
  *find({ policy }) {
    for (const rule of policy.rules) {
      if (rule.unless === undefined) continue;
      const mode = modeOf(rule);
      if (!areConditionsDisjoint(withMethod(rule), rule.unless, { inner: mode, outer: flip(mode) })) continue;
      yield {
        path: ['rule', rule.index, 'unless'],
        message: `the "unless" of ${ruleName(rule)} excepts nothing: it matches no call that the rule matches`,
        hint: 'make it a condition of the rule, or remove it',
      };
    }
  },
};

/** Two rules about the same calls that say different things. */
export const contradictoryRule: LintRule = {
  id: 'contradictory-rule',
  severity: 'error',
  summary: 'Two rules match the same calls and decide them differently.',
  *find({ policy, covers }) {
    for (const rule of policy.rules) {
      const above = covers.firstAbove(rule);
      if (above === undefined || above.action === rule.action || !coversAsWritten(rule, above)) continue;
      yield {
        path: ['rule', rule.index],
        message: `${ruleName(rule)} ${actionWord(rule)} what ${ruleName(above)} ${actionWord(above)}, and never decides`,
        hint: 'keep the one that is meant',
        related: [{ path: ['rule', above.index], message: `${ruleName(above)} ${actionWord(above)} the same calls` }],
      };
    }
  },
};

/** The methods that have a subject (MCP 2026-07-28; `gate/methods.ts`). */
const METHODS: Readonly<Record<'tool' | 'resource' | 'prompt', readonly string[]>> = {
  tool: [SUBJECT_METHODS.tool],
  resource: [SUBJECT_METHODS.resource, ...LIKE_METHODS.resource],
  prompt: [SUBJECT_METHODS.prompt, ...LIKE_METHODS.prompt],
};
const WITHOUT_ARGS = METHODS.resource.filter((name) => name !== 'completion/complete');

/** A rule that no call can match. */
export const impossibleRule: LintRule = {
  id: 'impossible-rule',
  severity: 'error',
  summary: 'No call can match the rule.',
  *find({ policy }) {
    for (const rule of policy.rules) {
      const found = findEmptyField(rule) ?? findMethodFault(rule) ?? findWholeException(rule);
      if (found !== undefined) yield found;
    }
  },
};

function findEmptyField(rule: Rule): LintFinding | undefined {
  const field = fieldsOf(rule).find((candidate) => candidate.path[2] !== 'unless' && matchesNothing(candidate));
  if (field === undefined) return undefined;
  return {
    path: field.path,
    message: `${ruleName(rule)} never matches: no value meets all that it asks of ${nameOf(field)}`,
    hint: 'all operators of one table must match; for one or the other, write two rules or a list',
  };
}

function matchesNothing({ field, matcher, mode }: RuleField): boolean {
  if (field !== 'args' && field !== 'resource') return matchesNoName(matcher);
  // `exists = false` by itself asks that nothing is there.
  if (matcher.op === 'exists') return false;
  return matchesNoValue({ matcher, mode }, { isText: field === 'resource', links: 'any' });
}

function nameOf({ field, path }: { readonly field: FieldName; readonly path: readonly (string | number)[] }): string {
  return field === 'args' ? path.slice(path.indexOf('args')).join('.') : field;
}

function findMethodFault(rule: Rule): LintFinding | undefined {
  const { method } = withMethod(rule);
  if (method === undefined) return undefined;
  for (const subject of ['tool', 'resource', 'prompt'] as const) {
    if (rule[subject] === undefined || METHODS[subject].some((name) => !areNamesDisjoint(method, literal(name)))) continue;
    return {
      path: ['rule', rule.index, 'method'],
      message: `${ruleName(rule)} never matches: a call of this method has no ${subject}`,
      hint: `a rule with ${subject} matches ${METHODS[subject].join(', ')}`,
    };
  }
  const onlyWithout = method.op !== 'not' && isOneOf(method, WITHOUT_ARGS);
  if (!onlyWithout || rule.args.length === 0 || rule.args.some(({ matcher }) => isAbsence(matcher))) return undefined;
  return {
    path: ['rule', rule.index, 'args'],
    message: `${ruleName(rule)} never matches: a call of this method has no arguments`,
    hint: 'name what is read with resource = "…"',
  };
}

function isOneOf(method: Matcher, names: readonly string[]): boolean {
  const texts = method.op === 'globs' ? method.patterns : method.op === 'equals' ? [method.value] : [];
  return texts.length > 0 && texts.every((text) => typeof text === 'string' && names.includes(text));
}

function isAbsence(matcher: Matcher): boolean {
  return matcher.op === 'exists' && !matcher.present;
}

/** Finds an `unless` that holds for whatever the rule does. */
function findWholeException(rule: Rule): LintFinding | undefined {
  if (rule.unless === undefined) return undefined;
  const mode = modeOf(rule);
  const modes = { inner: mode, outer: mode === 'certain' ? 'possible' : 'certain' } as const;
  if (!conditionsImply(withMethod(rule), rule.unless, { modes, links: 'none' })) return undefined;
  return {
    path: ['rule', rule.index, 'unless'],
    message: `${ruleName(rule)} never matches: its "unless" matches every call that the rule matches`,
    hint: 'an exception must be narrower than its rule',
  };
}

function literal(value: string): Matcher {
  return { op: 'equals', value };
}
