import { isDeepStrictEqual } from 'node:util';
import { formatPolicyText } from '../policy-tools/format/format-policy-text.ts';
import { parsePolicy } from '../core/policy/parse.ts';
import { compileRegex, type RegexCompiler } from '../core/patterns/regex.ts';
import { parseTomlSyntax } from '../core/policy/toml-layout.ts';
import { parseToml } from '../core/policy/toml.ts';
import { parsePolicyText, type PolicyOrigin } from './policy-file.ts';

export type FormattedPolicy = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

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
