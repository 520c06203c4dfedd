import { LIKE_METHODS, SUBJECT_METHODS } from '../../core/call.ts';
import { compileMatcher, coversNative } from '../../core/match/compile-matcher.ts';
import type { Mode } from '../../core/match/match-context.ts';
import type { Conditions, Matcher, Rule } from '../../core/policy/types.ts';
import { flipped, type Modes } from './arg-relation.ts';
import { areConditionsDisjoint, conditionsImply, findsSameNul } from './condition-relation.ts';
import { ANY_NAME, areNamesDisjoint } from './name-relation.ts';
import type { Links } from './path-glob-relation.ts';

/**
 * Does `a` take every call that `b` would? Where `a` stands above it, `b` never decides. To take a call is to match it, or to refuse it for a
 * NUL byte in a path. False where it cannot be told.
 */
export function covers(a: Rule, b: Rule): boolean {
  return coversWith(a, b, 'any');
}

/** The same as far as no folder that the rules name is a link to elsewhere: what readers of the policy take it to say. */
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

/** Is there no call for which it matters which of two rules stands above? False where it cannot be told. */
export function areRulesDisjoint(a: Rule, b: Rule): boolean {
  const areApart = areConditionsDisjoint(withMethod(a), withMethod(b), { inner: modeOf(a), outer: modeOf(b) });
  return areApart && !mayHoldFor(a, b) && !mayHoldFor(b, a);
}

/** May there be a call that `b` matches and that amounts to one that `a` denies or asks about? */
function mayHoldFor(a: Rule, b: Rule): boolean {
  if (a.action === 'allow' || a.tool !== undefined) return false;
  const { method } = withMethod(a);
  const modes: Modes = { inner: modeOf(a), outer: modeOf(b) };
  const other = withMethod(b);
  return (['resource', 'prompt'] as const).some((subject) => {
    const isOfOther = a[subject === 'resource' ? 'prompt' : 'resource'] !== undefined;
    if (isOfOther || (method !== undefined && areNamesDisjoint(method, METHODS[subject]))) return false;
    return LIKE_METHODS[subject].some((name) => {
      // A template is another URI than what it comes to, and what is read has no arguments.
      const resource = name === 'completion/complete' && subject === 'resource' ? ANY_NAME : a.resource;
      const like: Conditions = { ...a, ...(resource === undefined ? {} : { resource }), args: [], method: literal(name) };
      return !areConditionsDisjoint(like, other, modes);
    });
  });
}

function literal(value: string): Matcher {
  return { op: 'equals', value };
}

/** What a deny or prompt rule asks is asked of any reading, what an allow rule asks of all. */
export function modeOf({ action }: Pick<Rule, 'action'>): Mode {
  return action === 'allow' ? 'certain' : 'possible';
}

/** With the method that a rule is about where it names none. */
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

/** A rule about the agent's own tools says so; what a rule for all servers covers, are servers. */
export function isAboutNative({ server }: { readonly server?: Matcher }): boolean {
  if (server === undefined) return false;
  let isNative = native.get(server);
  if (isNative === undefined) native.set(server, (isNative = coversNative(compileMatcher(server, false))));
  return isNative;
}

/** Does a rule ask for names and nothing else? */
function takesAllNamed({ resource, args, category, fingerprint, unless }: Rule): boolean {
  if (args.length > 0 || category !== undefined || fingerprint !== undefined || unless !== undefined) return false;
  return resource === undefined || (resource.op === 'globs' && resource.patterns.includes('**'));
}
