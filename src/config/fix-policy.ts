import type { Policy } from '../core/policy/tables.ts';
import { type Lint, lintPolicy } from '../policy-tools/lint/lint-policy.ts';
import { parsePolicyText, type PolicyOrigin } from './policy-file.ts';

export interface FixedPolicy {
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
