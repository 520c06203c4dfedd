import { namesImply } from '../relation/condition-relation.ts';
import { includesGlob } from '../relation/glob-language.ts';
import { areRulesDisjoint, isAboutNative, withMethod } from '../relation/rule-relation.ts';
import type { Matcher, Rule } from '../../core/policy/types.ts';
import type { LintSubject } from './finding.ts';
import { type FieldPattern, patternsOf } from './rule-fields.ts';

/** A glob of an argument or a URI by which a rule denies or asks: whatever it misses goes on to the rules below. */
export interface StoppingPattern extends FieldPattern {
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
