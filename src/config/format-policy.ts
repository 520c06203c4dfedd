import { isDeepStrictEqual } from 'node:util';
import { formatPolicyText } from '../policy-tools/format/format-policy-text.ts';
import { parsePolicy } from '../core/policy/parse.ts';
import { compileRegex, type RegexCompiler } from '../core/patterns/regex.ts';
import { parseTomlSyntax } from '../core/policy/toml-layout.ts';
import { parseToml } from '../core/policy/toml.ts';
import { parsePolicyText, type PolicyOrigin } from './policy-file.ts';

export type FormattedPolicy = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/**
 * Formats a policy, and proves that what comes out is the same one: all that it says, in the order that counts, and all its comments. Where
 * that can't be proved, there is a reason and no text.
 *
 * @throws ClawaiError `policy_syntax` or `policy_invalid`, with `faults`: what has a mistake is not formatted
 */
export async function formatPolicy(text: string, origin: PolicyOrigin): Promise<FormattedPolicy> {
  await parsePolicyText(text, origin);
  const after = formatPolicyText(text);
  if (after === undefined) return { ok: false, reason: 'the way it is written could not be read' };
  const reason = findDifference(text, after);
  return reason === undefined ? { ok: true, text: after } : { ok: false, reason };
}

/** What is another thing in the second of two texts of one policy; undefined where all is the same. */
export function findDifference(before: string, after: string): string | undefined {
  if (!isDeepStrictEqual(parseToml(before), parseToml(after))) return 'it would say something else';
  const [meant, means] = policiesOf(before, after);
  if (!isDeepStrictEqual(meant, means)) return 'it would mean something else';
  return isDeepStrictEqual(commentsIn(before), commentsIn(after)) ? undefined : 'a comment would be lost';
}

/** What they come to, which also tells the order of arguments; regular expressions with the same source are one. */
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

/** In no order, since the keys of a rule may have changed theirs. */
function commentsIn(text: string): readonly string[] | undefined {
  const body = text.replace(/^\uFEFF/, '');
  return parseTomlSyntax(body)
    ?.comments.map(({ range }) => body.slice(...range).trimEnd())
    .toSorted();
}
