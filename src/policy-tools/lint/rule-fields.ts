import { argPath } from '../arg-path.ts';
import type { LintFinding, LintRule, LintSubject } from './finding.ts';
import { areRulesDisjoint, isAboutNative, modeOf, withMethod } from '../relation/rule-relation.ts';
import { flip, type Mode } from '../../core/match/match-context.ts';
import { NAMES } from '../../core/policy/parse-rule.ts';
import type { Regex } from '../../core/patterns/regex.ts';
import type { Conditions, Matcher, PolicyPath, Rule } from '../../core/policy/types.ts';
import { namesImply } from '../relation/condition-relation.ts';
import { includesGlob } from '../relation/glob-language.ts';

export type FieldName = (typeof NAMES)[number] | 'args';

/** One field of a rule or of its `unless`. */
export interface RuleField {
  readonly rule: Rule;
  readonly field: FieldName;
  readonly path: PolicyPath;
  readonly matcher: Matcher;
  /** `certain`: whatever it matches in addition is let through. `possible`: whatever it misses is. */
  readonly mode: Mode;
}

/** A glob or regular expression in a field. */
interface FieldPattern extends RuleField {
  readonly glob?: string;
  readonly regex?: Regex;
}

export function fieldsOf(rule: Rule): readonly RuleField[] {
  const mode = modeOf(rule);
  const own = fieldsIn(rule, rule, { mode, path: ['rule', rule.index] });
  if (rule.unless === undefined) return own;
  return [...own, ...fieldsIn(rule, rule.unless, { mode: flip(mode), path: ['rule', rule.index, 'unless'] })];
}

function fieldsIn(rule: Rule, conditions: Conditions, at: { readonly mode: Mode; readonly path: PolicyPath }): RuleField[] {
  const fields: RuleField[] = [];
  for (const field of NAMES) {
    const matcher = conditions[field];
    if (matcher !== undefined) fields.push({ rule, field, matcher, mode: at.mode, path: [...at.path, field] });
  }
  for (const arg of conditions.args) {
    fields.push({ rule, field: 'args', matcher: arg.matcher, mode: at.mode, path: [...at.path, ...argPath(arg.path)] });
  }
  return fields;
}

/** Every glob and regular expression of a rule, also those inside of `not`, which reverses the mode. */
export function patternsOf(rule: Rule): readonly FieldPattern[] {
  return fieldsOf(rule).flatMap(patternsIn);
}

function patternsIn(field: RuleField): FieldPattern[] {
  const { matcher, path, mode } = field;
  switch (matcher.op) {
    case 'globs':
      return matcher.patterns.map((glob, index) => ({
        ...field,
        glob,
        path: matcher.patterns.length === 1 ? path : [...path, index],
      }));
    case 'regex':
      return [{ ...field, regex: matcher.regex, path: [...path, 'regex'] }];
    case 'not':
      return patternsIn({ ...field, matcher: matcher.inner, path: [...path, 'not'], mode: flip(mode) });
    case 'all':
    case 'any':
      return matcher.of.flatMap((part) => patternsIn({ ...field, matcher: part }));
    default:
      return [];
  }
}

/** Runs `judge` on each glob of a policy's rules. */
export function eachGlob(
  judge: (pattern: FieldPattern & { readonly glob: string }) => Pick<LintFinding, 'message' | 'hint'> | undefined,
): LintRule['find'] {
  return function* find({ policy }) {
    for (const pattern of policy.rules.flatMap(patternsOf)) {
      const { glob, path } = pattern;
      const fault = glob === undefined ? undefined : judge({ ...pattern, glob });
      if (fault !== undefined) yield { path, ...fault };
    }
  };
}

/** The name by which people find a rule: `rule 3` or `rule 3 (private-keys)`. */
export function ruleName({ index, id }: Pick<Rule, 'index' | 'id'>): string {
  return id === undefined ? `rule ${index + 1}` : `rule ${index + 1} (${id})`;
}

/** The action of a rule, as a verb: `denies`. */
export function actionWord({ action }: Pick<Rule, 'action'>): string {
  return { allow: 'allows', deny: 'denies', prompt: 'asks' }[action];
}

/** A glob of an argument or a URI by which a rule denies or asks: whatever it misses goes on to the rules below. */
interface StoppingPattern extends FieldPattern {
  readonly glob: string;
}

/** The patterns of all rules, in the order of the file; not those of exceptions, in which missing less is the safe side. */
export function stoppingPatterns({ policy }: LintSubject): readonly StoppingPattern[] {
  return policy.rules.flatMap((rule) => (rule.action === 'allow' ? [] : patternsOf(rule).filter(isStopping)));
}

function isStopping(pattern: FieldPattern): pattern is StoppingPattern {
  const { glob, field, mode, path } = pattern;
  return glob !== undefined && (field === 'args' || field === 'resource') && mode === 'possible' && !path.includes('unless');
}

/** The name of the argument, undefined for a resource: `path`, `**`. */
export function argumentName({ field, path }: FieldPattern): string | undefined {
  if (field !== 'args') return undefined;
  const name = path.slice(path.indexOf('args') + 1).findLast((step) => typeof step === 'string' && step !== 'not');
  return String(name ?? '')
    .replace(/^\/.*\//, '')
    .replace(/^\//, '');
}

/**
 * Tells whether a call that a pattern misses passes. It does not if a rule for the same calls stops it, or if nothing allows it.
 *
 * @param missed a glob for it
 */
export function passesBy(pattern: StoppingPattern, missed: string, { policy, isProject }: LintSubject): boolean {
  const { rule } = pattern;
  const isStopped = policy.rules.some((other) => {
    if (other.action === 'allow') return false;
    if (other !== rule && (isNarrowed(other) || !namesImply(withMethod(rule), withMethod(other)))) return false;
    return patternsOf(other).some((beside) => isStopping(beside) && includesGlob(beside.glob, missed));
  });
  if (isStopped) return false;
  const { action, native } = policy.defaults;
  if (isProject || action === 'allow' || (isAboutNative(rule) && native === 'allow')) return true;
  const variant = withGlob(pattern, missed);
  return policy.rules.some((other) => other.action === 'allow' && !areRulesDisjoint(other, variant));
}

function isNarrowed({ category, fingerprint, unless }: Rule): boolean {
  return category !== undefined || fingerprint !== undefined || unless !== undefined;
}

/** A rule that allows what the pattern's would stop if it had another glob. */
function withGlob({ rule, matcher, field }: StoppingPattern, glob: string): Rule {
  const { unless: _unless, ...rest } = rule;
  const other: Matcher = { op: 'globs', patterns: [glob] };
  const args = rule.args.flatMap((arg) => (arg.matcher === matcher ? [{ ...arg, matcher: other }] : []));
  return { ...rest, action: 'allow', args, ...(field === 'resource' ? { resource: other } : {}) };
}
