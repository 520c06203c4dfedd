import { CALL_METHODS, NATIVE_SERVER } from '../../../core/call.ts';
import { isPathLike } from '../../../core/paths/path-forms.ts';
import type { Policy } from '../../../core/policy/tables.ts';
import type { Rule } from '../../../core/policy/types.ts';
import { includesGlob } from '../../relation/glob-language.ts';
import { literalsOf } from '../../relation/name-relation.ts';
import { areRulesDisjoint, coversAsWritten, isAboutNative, withMethod } from '../../relation/rule-relation.ts';
import type { LintRule, LintSubject } from '../finding.ts';
import { fieldsOf, ruleName } from '../rule-fields.ts';

/** A glob of a list that another of the list includes. */
export const repeatedPattern: LintRule = {
  id: 'repeated-pattern',
  severity: 'info',
  summary: 'A list has a glob that another glob in it includes.',
  *find({ policy }) {
    for (const { matcher, path, field } of policy.rules.flatMap(fieldsOf)) {
      if (matcher.op !== 'globs') continue;
      const isName = field !== 'args' && field !== 'resource';
      for (const [index, pattern] of matcher.patterns.entries()) {
        // Only the word itself is about the agent's own tools, whatever else there is.
        if (field === 'server' && pattern === NATIVE_SERVER && matcher.patterns.indexOf(pattern) === index) continue;
        const other = matcher.patterns.findIndex(
          (wider, at) =>
            at !== index &&
            (wider === pattern
              ? at < index
              : (isName || !(isPathLike(wider) || isPathLike(pattern))) &&
                includesGlob(wider, pattern) &&
                !includesGlob(pattern, wider)),
        );
        if (other === -1) continue;
        yield {
          path: [...path, index],
          message: `"${pattern}" adds nothing: "${matcher.patterns[other]}" of the same list matches all that it does`,
          hint: 'remove it',
        };
      }
    }
  },
};

/** A rule whose removal changes no decision. One that says why it is there, or tells the model something, has its use. */
export const redundantRule: LintRule = {
  id: 'redundant-rule',
  severity: 'info',
  summary: 'Without the rule, every decision would be the same.',
  *find(subject) {
    for (const rule of subject.policy.rules) {
      if (rule.message !== undefined || rule.description !== undefined || rule.id !== undefined) continue;
      const later = findLater(rule, subject);
      if (later !== undefined) {
        yield {
          path: ['rule', rule.index],
          message: `without ${ruleName(rule)}, every decision is the same: ${ruleName(later)} below matches all that it does`,
          hint: 'remove it, or give it a description of what it is for',
          related: [{ path: ['rule', later.index], message: `${ruleName(later)} decides the same` }],
        };
      } else if (isDefault(rule, subject)) {
        yield {
          path: ['rule', rule.index],
          message: `without ${ruleName(rule)}, every decision is the same: ${subject.policy.defaults.action} is the default`,
          hint: 'remove it, or give it a description of what it is for',
        };
      }
    }
  },
};

function findLater(rule: Rule, { policy, covers }: LintSubject): Rule | undefined {
  return covers
    .candidates(rule)
    .find(
      (other) =>
        other.index > rule.index &&
        other.action === rule.action &&
        coversAsWritten(other, rule) &&
        isNothingBetween(rule, policy, other.index),
    );
}

function isDefault(rule: Rule, { policy, isProject }: LintSubject): boolean {
  // A rule that denies or asks still does so if somebody changes the default.
  if (isProject || rule.action !== 'allow' || policy.defaults.action !== 'allow' || isAboutNative(rule)) return false;
  const { method } = withMethod(rule);
  const methods = method === undefined ? undefined : literalsOf(method);
  return methods?.every((name) => CALL_METHODS.has(name)) === true && isNothingBetween(rule, policy, policy.rules.length);
}

/** Tells whether no rule in between decides one of the calls otherwise. */
function isNothingBetween(rule: Rule, { rules }: Policy, end: number): boolean {
  return rules.slice(rule.index + 1, end).every((other) => other.action === rule.action || areRulesDisjoint(rule, other));
}
