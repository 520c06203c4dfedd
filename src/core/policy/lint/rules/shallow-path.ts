import { isPathLike } from '../../path-forms.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** `/etc/*` is not `/etc/ssl/key`, which a rule that denies hardly means to let through. */
export const shallowPath: LintRule = {
  id: 'shallow-path',
  severity: 'warning',
  summary: 'A path that denies ends in /*, so what lies deeper passes.',
  *find({ policy }) {
    for (const { glob, path, mode, field, rule } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined || mode !== 'possible' || rule.action === 'allow' || path.includes('unless')) continue;
      if ((field !== 'args' && field !== 'resource') || !isPathLike(glob) || !/[^*]\/\*$/.test(glob)) continue;
      // What is deeper may be named beside it.
      if (patternsOf(rule).some(({ glob: other }) => other === `${glob}*`)) continue;
      yield {
        path,
        message: `"${glob}" is about what lies right in the folder; what lies deeper passes by it`,
        hint: `"${glob}*" is about everything below`,
      };
    }
  },
};
