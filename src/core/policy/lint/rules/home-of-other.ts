import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** In a pattern `~` is the home of whom the server runs as; that of somebody else has no short name. */
export const homeOfOther: LintRule = {
  id: 'home-of-other',
  severity: 'warning',
  summary: 'A path begins with ~name, which is no home in a pattern.',
  *find({ policy }) {
    for (const { glob, path, field } of policy.rules.flatMap(patternsOf)) {
      const name = /^~([A-Za-z_][\w.-]*)(?=\/)/.exec(glob ?? '')?.[1];
      if (name === undefined || (field !== 'args' && field !== 'resource')) continue;
      yield {
        path,
        message: `"~${name}" is not the home of ${name} in a pattern, but a folder of that name`,
        hint: `write the whole path, as in "/home/${name}/**"`,
      };
    }
  },
};
