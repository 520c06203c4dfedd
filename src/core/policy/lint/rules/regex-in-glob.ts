import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** What no name and hardly a path has, and every second regular expression. */
const SIGNS: readonly [sign: RegExp, what: string][] = [
  [/^\^|[^\\]\$$/, 'an anchor'],
  [/\\[dwsb](?![\w])/i, 'a class of letters'],
  [/\([^()]*\|[^()]*\)/, 'alternatives'],
  [/(?:^|[^*])\.\*\\\./, 'an escaped dot'],
  [/^\.\*|[_-]\.\*|\.\*[\w-]|\.\*\$?$/, '".*"'],
  [/\.\+/, '".+"'],
  [/[\w)]\+$/, '"+"'],
];

/** A regular expression where a glob stands: its letters count as themselves. */
export const regexInGlob: LintRule = {
  id: 'regex-in-glob',
  severity: 'warning',
  summary: 'A glob looks like a regular expression, and its letters count as themselves.',
  *find({ policy }) {
    for (const { glob, path, field } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined) continue;
      const isName = field !== 'args' && field !== 'resource';
      const sign = SIGNS.find(([form]) => form.test(glob));
      // Of paths, `~/.*` and `file.*` are honest, and a drive has backslashes.
      if (sign === undefined || (!isName && (/^(?:[A-Za-z]:|\\\\)/.test(glob) || sign[1].startsWith('"')))) continue;
      // `github.*` may be a name with a dot; `delete_.*` and `get.*user` are hardly.
      if (sign[1] === '".*"' && !/^\.\*|[_-]\.\*|\.\*[\w-]/.test(glob)) continue;
      yield {
        path,
        message: `"${glob}" is a glob, in which ${sign[1]} of a regular expression counts as it is written`,
        hint: 'a regular expression is { regex = "…" }; in globs * is any text without a slash, ** any text',
      };
    }
  },
};
