import type { Policy } from '../core/policy/tables.ts';
import { type Lint, lintPolicy } from '../policy-tools/lint/lint-policy.ts';
import { parsePolicyText, type PolicyOrigin } from './policy-file.ts';
import { isDeepStrictEqual } from 'node:util';
import { formatPolicyText } from '../policy-tools/format/format-policy-text.ts';
import { parsePolicy } from '../core/policy/parse.ts';
import { compileRegex, type RegexCompiler } from '../core/patterns/regex.ts';
import { parseTomlSyntax } from '../core/policy/toml-layout.ts';
import { parseToml } from '../core/policy/toml.ts';

interface FixedPolicy {
  readonly policy: Policy;
  /** The removed parts, with their places in the text of the round that found them. */
  readonly fixed: readonly Lint[];
}

/** One fix may make another possible; no honest policy takes more rounds. */
const MOST_ROUNDS = 20;

/**
 * Removes from a policy what lint says can go without changing a decision, and no other byte. It parses each result and compares it: if
 * anything else changed its meaning, the fix is not made.
 */
export async function fixPolicy(before: Policy, origin: PolicyOrigin): Promise<FixedPolicy> {
  let policy = before;
  const fixed: Lint[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { lints } = lintPolicy(policy, origin.isProject);
    const changed = await removeFirst(policy, lints, origin);
    if (changed === undefined) break;
    policy = changed.policy;
    fixed.push(...changed.lints);
  }
  return { policy, fixed };
}

/** Removes all at once, since each fix is proven by itself; if the result differs, it tries them one by one. */
async function removeFirst(policy: Policy, lints: readonly Lint[], origin: PolicyOrigin) {
  const fixable = lints.filter(({ fix }) => fix !== undefined);
  if (fixable.length === 0) return undefined;
  for (const chosen of [fixable, ...fixable.map((lint) => [lint])]) {
    const next = await parsePolicyText(removeAll(policy.text, chosen), origin).catch(() => undefined);
    // If the result can't be parsed, the cut was wrong.
    if (next !== undefined && isSameBut(policy, next, chosen)) return { policy: next, lints: chosen };
  }
  return undefined;
}

function removeAll(text: string, lints: readonly Lint[]): string {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const ranges = lints.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
  // A comment inside a removed rule is removed with it.
  const outer = ranges.filter(
    (range) => !ranges.some((other) => other !== range && other.start <= range.start && range.end <= other.end),
  );
  let result = text;
  for (const { start, end } of outer.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start + bom) + result.slice(end + bom);
  return result;
}

/** Tells whether `after` equals `before` without the removed rules. */
function isSameBut(before: Policy, after: Policy, removed: readonly Lint[]): boolean {
  const gone = new Set(removed.flatMap(({ fix }) => (fix?.rule === undefined ? [] : [fix.rule])));
  const kept = before.rules.filter(({ index }) => !gone.has(index));
  return toText({ ...before, rules: kept }) === toText(after);
}

/** Serialises the meaning of a policy, without places. */
function toText(policy: Policy): string {
  const rules = policy.rules.map((rule, index) => ({ ...rule, index }));
  return JSON.stringify({ ...policy, rules, text: '', file: '' }, (_key, value: unknown) =>
    value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : typeof value === 'bigint' ? `${value}n` : value,
  );
}

type FormattedPolicy = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/**
 * Formats a policy, and proves that the result means the same: all values, in the order that counts, and all comments. If that can't be
 * proved, it returns a reason instead of a text.
 *
 * @throws ClawaiError `policy_syntax` or `policy_invalid`, with `faults`: a faulty policy is not formatted
 */
export async function formatPolicy(text: string, origin: PolicyOrigin): Promise<FormattedPolicy> {
  await parsePolicyText(text, origin);
  const after = formatPolicyText(text);
  if (after === undefined) return { ok: false, reason: 'the way it is written could not be read' };
  const reason = findDifference(text, after);
  return reason === undefined ? { ok: true, text: after } : { ok: false, reason };
}

/** Describes the difference between two texts of one policy; undefined if there is none. */
export function findDifference(before: string, after: string): string | undefined {
  if (!isDeepStrictEqual(parseToml(before), parseToml(after))) return 'it would say something else';
  const [meant, means] = policiesOf(before, after);
  if (!isDeepStrictEqual(meant, means)) return 'it would mean something else';
  return isDeepStrictEqual(commentsIn(before), commentsIn(after)) ? undefined : 'a comment would be lost';
}

/** Parses the texts, which also compares the order of arguments; regular expressions with the same source compile to one object. */
function policiesOf(...texts: readonly string[]): readonly unknown[] {
  const compiled = new Map<string, ReturnType<RegexCompiler>>();
  const regex: RegexCompiler = (pattern) => {
    const known = compiled.get(pattern) ?? compileRegex(pattern);
    compiled.set(pattern, known);
    return known;
  };
  return texts.map((text) => {
    const result = parsePolicy(text, { file: '', regex });
    return result.ok ? { ...result.policy, text: undefined } : result;
  });
}

/** Returns the comments sorted, since the keys of a rule may have been reordered. */
function commentsIn(text: string): readonly string[] | undefined {
  const body = text.replace(/^\uFEFF/, '');
  return parseTomlSyntax(body)
    ?.comments.map(({ range }) => body.slice(...range).trimEnd())
    .toSorted();
}
