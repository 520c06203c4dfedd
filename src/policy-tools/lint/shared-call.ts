import { type Call, SUBJECT_METHODS } from '../../core/call.ts';
import { decideByRules } from '../../core/decide/stages.ts';
import type { JsonObject } from '../../core/json.ts';
import { type CompiledPolicy, compilePolicy } from '../../core/match/compile.ts';
import type { PathContext } from '../../core/paths/absolute-path.ts';
import type { Policy } from '../../core/policy/tables.ts';
import type { ArgMatch, Matcher, Rule } from '../../core/policy/types.ts';
import { globOf } from '../relation/glob-language.ts';

/** A made-up disk: it hardly matters for whether two patterns have a path in common. */
const PATHS: PathContext = { home: '/home/user', cwd: '/home/user/project', platform: 'posix', remote: false };

const MOST_TEXTS = 12;

/**
 * Finds a call of a tool that a policy's rule `first` decides, and that `second` below would decide if it stood alone; undefined if none is
 * found, which proves nothing. The matchers that decide calls have confirmed it. None is found for a rule with a fingerprint, and one for a
 * rule with a category only if a name tells the category.
 */
export function findSharedCall(first: Rule, second: Rule, policy: Policy): Call | undefined {
  if (asksOther(first) || asksOther(second)) return undefined;
  for (const server of commonTexts(first.server, second.server, ANY_SERVER)) {
    for (const tool of commonTools(first, second)) {
      for (const args of commonArgs(first, second)) {
        const call: Call = { method: SUBJECT_METHODS.tool, server, tool, args };
        if (decides(second, call, policy) && decideWith(policy, call) === first.index) return call;
      }
    }
  }
  return undefined;
}

/** The server of a call that may be of any. */
export const ANY_SERVER = 'any';

/** Names that tell what a tool does, one for each category. */
const TELLING_NAMES = ['read_file', 'write_file', 'send_email', 'calculate_x', 'run_command', 'drop_database'];

function commonTools(first: Rule, second: Rule): readonly string[] {
  const tools = commonTexts(first.tool, second.tool, 'x').filter((name) => name !== '');
  const asksForKind = [first, second].some(({ category, unless }) => category !== undefined || unless?.category !== undefined);
  return asksForKind ? [...tools, ...TELLING_NAMES] : tools;
}

function asksOther({ fingerprint, resource, prompt, tool, unless }: Rule): boolean {
  const asked = [fingerprint, resource, prompt, unless?.fingerprint];
  return tool === undefined || asked.some((one) => one !== undefined);
}

const alone = new WeakMap<Rule, Policy>();

function decides(rule: Rule, call: Call, policy: Policy): boolean {
  let other = alone.get(rule);
  if (other === undefined) alone.set(rule, (other = { ...policy, text: '', rules: [rule] }));
  return decideWith(other, call) === rule.index;
}

const compiled = new WeakMap<Policy, CompiledPolicy>();

/** The index of the rule that decides. */
function decideWith(policy: Policy, call: Call): number | undefined {
  let ready = compiled.get(policy);
  if (ready === undefined) compiled.set(policy, (ready = compilePolicy(policy)));
  return decideByRules(call, { policy: ready, paths: PATHS, realPaths: new Map() })?.rule?.index;
}

/** Arguments that hold what both ask for, or what one does if the other asks for nothing. */
function* commonArgs(a: Rule, b: Rule): Iterable<JsonObject> {
  const [first, second] = [a.args, b.args];
  if (first.length > 1 || second.length > 1) return;
  const [x, y] = [first[0], second[0]];
  if (x === undefined && y === undefined) yield {};
  const names = [nameOf(x), nameOf(y)];
  // A wildcard takes the name of the other argument.
  const name = names.find((one) => one !== undefined) ?? 'path';
  if (x !== undefined && y !== undefined && names.every((one) => one !== undefined) && names[0] !== names[1]) return;
  for (const text of commonTexts(x?.matcher, y?.matcher, 'x')) yield { [name]: text };
}

function nameOf(arg: ArgMatch | undefined): string | undefined {
  const [step, ...rest] = arg?.path ?? [];
  return rest.length === 0 && step !== undefined && 'name' in step ? step.name : undefined;
}

/** Texts that may match both, the likeliest first. */
function commonTexts(a: Matcher | undefined, b: Matcher | undefined, any: string): readonly string[] {
  const [first, second] = [textsOf(a), textsOf(b)];
  if (first === undefined && second === undefined) return [any];
  const found = new Set<string>();
  for (const x of first ?? ['**']) {
    for (const y of second ?? ['**']) {
      for (const text of mixed(x, y)) found.add(text);
      for (const text of mixed(y, x)) found.add(text);
    }
  }
  return [...found].slice(0, MOST_TEXTS);
}

function textsOf(matcher: Matcher | undefined): readonly string[] | undefined {
  if (matcher?.op === 'globs') return matcher.patterns.slice(0, MOST_TEXTS);
  if (matcher?.op === 'equals' && typeof matcher.value === 'string') return [matcher.value];
  return undefined;
}

/** The beginning of one and the end of the other, with something for the stars. */
function mixed(beginning: string, end: string): readonly string[] {
  const fill = (glob: string, star: string): string => glob.replaceAll(/\*+|\?/g, (wild) => (wild === '?' ? 'x' : star));
  const behind = end.replace(/^\*+\/?/, '');
  const texts = [fill(end, 'x'), fill(end, '')];
  if (behind !== end) texts.unshift(...['x', ''].map((star) => joined(globOf(beginning).literalPrefix, fill(behind, star))));
  return texts;
}

/** `read_` and `_secret` make `read_secret`. */
function joined(beginning: string, end: string): string {
  return /[_/-]$/.test(beginning) && beginning.at(-1) === end[0] ? beginning + end.slice(1) : beginning + end;
}
