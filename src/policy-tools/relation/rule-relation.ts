import { LIKE_METHODS, SUBJECT_METHODS } from '../../core/call.ts';
import { compileMatcher, coversNative } from '../../core/match/compile-matcher.ts';
import type { Mode } from '../../core/match/match-context.ts';
import type { Conditions, Matcher, Rule } from '../../core/policy/types.ts';
import { flipped, type Modes } from './arg-relation.ts';
import { areConditionsDisjoint, conditionsImply, findsSameNul } from './condition-relation.ts';
import { ANY_NAME, areNamesDisjoint } from './name-relation.ts';
import type { Links } from './path-glob-relation.ts';

/**
 * Tells whether `a` takes every call that `b` would: by matching it, or by refusing it for a NUL byte in a path. If `a` stands above `b`,
 * `b` then never decides. False if that cannot be told.
 */
export function covers(a: Rule, b: Rule): boolean {
  return coversWith(a, b, 'any');
}

/** Tells the same under the assumption, which readers of the policy make, that no folder in the rules is a link. */
export function coversAsWritten(a: Rule, b: Rule): boolean {
  return coversWith(a, b, 'none');
}

function coversWith(a: Rule, b: Rule, links: Links): boolean {
  if (isAboutNative(b) && !isAboutNative(a)) return false;
  const modes: Modes = { inner: modeOf(b), outer: modeOf(a) };
  const [inner, outer] = [withMethod(b), withMethod(a)];
  if (!conditionsImply(inner, outer, { modes, links })) return false;
  if (!takesAllNamed(a) && !findsSameNul(inner, outer, modes)) return false;
  if (a.unless === undefined) return true;
  const excepted = flipped(modes);
  if (b.unless !== undefined) {
    const isNarrower = conditionsImply(a.unless, b.unless, { modes: { inner: excepted.outer, outer: excepted.inner }, links });
    if (isNarrower && findsSameNul(b.unless, a.unless, excepted)) return true;
  }
  return areConditionsDisjoint(inner, a.unless, { inner: modes.inner, outer: excepted.outer });
}

/** Tells whether the order of two rules matters for no call. False if that cannot be told. */
export function areRulesDisjoint(a: Rule, b: Rule): boolean {
  const areApart = areConditionsDisjoint(withMethod(a), withMethod(b), { inner: modeOf(a), outer: modeOf(b) });
  return areApart && !mayHoldFor(a, b) && !mayHoldFor(b, a);
}

/** Tells whether `b` may match a call whose equivalent `a` denies or asks about. */
function mayHoldFor(a: Rule, b: Rule): boolean {
  if (a.action === 'allow' || a.tool !== undefined) return false;
  const { method } = withMethod(a);
  const modes: Modes = { inner: modeOf(a), outer: modeOf(b) };
  const other = withMethod(b);
  return (['resource', 'prompt'] as const).some((subject) => {
    const isOfOther = a[subject === 'resource' ? 'prompt' : 'resource'] !== undefined;
    if (isOfOther || (method !== undefined && areNamesDisjoint(method, METHODS[subject]))) return false;
    return LIKE_METHODS[subject].some((name) => {
      // A template is another URI than what it expands to, and a read has no arguments.
      const resource = name === 'completion/complete' && subject === 'resource' ? ANY_NAME : a.resource;
      const like: Conditions = { ...a, ...(resource === undefined ? {} : { resource }), args: [], method: literal(name) };
      return !areConditionsDisjoint(like, other, modes);
    });
  });
}

function literal(value: string): Matcher {
  return { op: 'equals', value };
}

/** The mode of a rule: one reading is enough for a deny or prompt rule, an allow rule needs all. */
export function modeOf({ action }: Pick<Rule, 'action'>): Mode {
  return action === 'allow' ? 'certain' : 'possible';
}

/** Adds the method that a rule implies if it names none. */
export function withMethod(rule: Rule): Conditions {
  if (rule.method !== undefined) return rule;
  let conditions = complete.get(rule);
  if (conditions === undefined) {
    const method = methodOf(rule);
    conditions = method === undefined ? rule : { ...rule, method };
    complete.set(rule, conditions);
  }
  return conditions;
}

const complete = new WeakMap<Rule, Conditions>();

const METHODS = {
  tool: { op: 'equals', value: SUBJECT_METHODS.tool },
  resource: { op: 'equals', value: SUBJECT_METHODS.resource },
  prompt: { op: 'equals', value: SUBJECT_METHODS.prompt },
} as const;

function methodOf({ tool, resource, prompt }: Conditions): Matcher | undefined {
  if (tool !== undefined) return METHODS.tool;
  if (resource !== undefined) return METHODS.resource;
  return prompt === undefined ? undefined : METHODS.prompt;
}

const native = new WeakMap<Matcher, boolean>();

/** Tells whether a rule names the agent's own tools; a rule for all servers does not cover them. */
export function isAboutNative({ server }: { readonly server?: Matcher }): boolean {
  if (server === undefined) return false;
  let isNative = native.get(server);
  if (isNative === undefined) native.set(server, (isNative = coversNative(compileMatcher(server, false))));
  return isNative;
}

/** Tells whether a rule asks for names and nothing else. */
function takesAllNamed({ resource, args, category, fingerprint, unless }: Rule): boolean {
  if (args.length > 0 || category !== undefined || fingerprint !== undefined || unless !== undefined) return false;
  return resource === undefined || (resource.op === 'globs' && resource.patterns.includes('**'));
}
