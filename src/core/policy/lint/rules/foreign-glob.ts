import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

const SIGNS: readonly [sign: RegExp, what: string, hint: string][] = [
  [/\{[^{}]*,[^{}]*\}/, 'braces', 'write a list, as in ["a*", "b*"]'],
  [/\[(?:!|\^)?[a-z0-9]-[a-z0-9]/i, 'a range in brackets', 'use { regex = "…" }'],
  [/^!/, '"!"', 'all but some is { not = "…" }'],
  [/^\s*[<>]=?\s*-?\d+(?:\.\d+)?\s*$/, 'a comparison', 'numbers are compared by { gt = 5 }, and by gte, lt and lte'],
];

/** Syntax of other globs, which here is text. */
export const foreignGlob: LintRule = {
  id: 'foreign-glob',
  severity: 'warning',
  summary: 'A glob has braces, ranges, "!" or a comparison, which count as themselves here.',
  *find({ policy }) {
    for (const { glob, path } of policy.rules.flatMap(patternsOf)) {
      const sign = SIGNS.find(([form]) => form.test(glob ?? ''));
      if (sign === undefined) continue;
      yield {
        path,
        message: `"${glob}" has ${sign[1]}, which here is text like any other; globs have *, ** and ?`,
        hint: sign[2],
      };
    }
  },
};
