import { isPathLike } from '../../path-forms.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** Arguments whose texts have slashes as often as not. */
const OF_ANY_TEXT = /^(?:command|cmd|command_?line|shell|script|code|sql|url|uri|text|body|content|message)$/i;

const ONE_STAR = /(?<!\*)\*(?!\*)/g;

/** `rm *` is not `rm -rf /home`, since `*` ends at a slash in arguments that are no paths, too. */
export const slashlessStar: LintRule = {
  id: 'slashless-star',
  severity: 'warning',
  summary: 'A text that denies has * where slashes are common, so what has one passes.',
  *find({ policy }) {
    for (const { glob, path, mode, field, rule } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined || field !== 'args' || mode !== 'possible' || rule.action === 'allow') continue;
      if (path.includes('unless') || isPathLike(glob) || glob.search(ONE_STAR) === -1) continue;
      const name = path.slice(path.indexOf('args') + 1).findLast((step) => typeof step === 'string' && step !== 'not');
      if (!/\S\s|\s\S/.test(glob) && !OF_ANY_TEXT.test(String(name).replace(/^.*\//, ''))) continue;
      const wider = glob.replaceAll(ONE_STAR, '**');
      // What has a slash may be named beside it.
      if (patternsOf(rule).some(({ glob: other }) => other === wider)) continue;
      yield {
        path,
        message: `"${glob}" passes by "${glob.replaceAll(ONE_STAR, 'a/b')}": * ends at a slash`,
        hint: `"${wider}" is any text there`,
      };
    }
  },
};
