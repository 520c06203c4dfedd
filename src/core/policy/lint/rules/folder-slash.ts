import { isPathLike } from '../../path-forms.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** `/home/user/` is the folder and nothing in it. */
export const folderSlash: LintRule = {
  id: 'folder-slash',
  severity: 'warning',
  summary: 'A path ends in a slash, so it is about the folder and nothing in it.',
  *find({ policy }) {
    for (const { glob, path, field } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined || (field !== 'args' && field !== 'resource') || !isPathLike(glob)) continue;
      if (!/^(?:\/|~\/|\.\/|\*\*\/|file:\/\/\/).*[^/*]\/$/.test(glob)) continue;
      yield {
        path,
        message: `"${glob}" is about the folder itself and nothing in it`,
        hint: `"${glob}**" is what lies in it`,
      };
    }
  },
};
