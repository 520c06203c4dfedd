import { isPathLike } from '../../path-forms.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** `/home/user/project**` is `/home/user/project-of-another/…` too. */
export const openEndedPath: LintRule = {
  id: 'open-ended-path',
  severity: 'warning',
  summary: 'A path that lets calls through ends in ** right behind a name, so it is also about longer names.',
  *find({ policy }) {
    for (const { glob, path, mode, field } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined || mode !== 'certain' || (field !== 'args' && field !== 'resource')) continue;
      if (!isPathLike(glob) || !/[^/*?]\*\*$/.test(glob) || !/^(?:[~./]|file:)/.test(glob)) continue;
      const name = glob.slice(0, -2);
      yield {
        path,
        message: `"${glob}" is also about "${name}-other/…": ** stands for any text, not only behind a slash`,
        hint: `"${name}/**" is what lies in ${name}`,
      };
    }
  },
};
