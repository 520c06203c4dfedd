import { includesGlob } from '../../relation/glob-language.ts';
import type { LintRule } from '../finding.ts';

/** A suppression after which detection says nothing any more. */
export const suppressesEverything: LintRule = {
  id: 'suppresses-everything',
  severity: 'warning',
  summary: 'A suppression leaves detection with nothing to say.',
  *find({ policy }) {
    for (const [index, { server, tool, rule }] of policy.detection.suppress.entries()) {
      const isAny = (glob: string | undefined): boolean => glob === undefined || includesGlob(glob, '*');
      if (!isAny(server) || !isAny(tool) || !isAny(rule)) continue;
      yield {
        path: ['detection', 'suppress', index],
        message: 'this suppresses whatever is found, of every server',
        hint: 'name the server, its tool and the rule that is known to be wrong there; detection.enabled = false says that it is off',
      };
    }
  },
};
