import { suggestName } from '../../../../suggest.ts';
import { CALL_METHODS } from '../../../call.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** Methods that MCP has besides calls, and that are near to one. A rule may be about them. */
const OTHERS: ReadonlySet<string> = new Set(['tools/list', 'resources/list', 'prompts/list']);

/** A method that is nearly one of those that are calls. */
export const unknownMethod: LintRule = {
  id: 'unknown-method',
  severity: 'warning',
  summary: 'A method is nearly that of a call, and no call has it.',
  *find({ policy }) {
    for (const { glob, path, field } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined || field !== 'method' || /[*?]/.test(glob) || CALL_METHODS.has(glob) || OTHERS.has(glob)) continue;
      const meant = suggestName(glob, [...CALL_METHODS]);
      if (meant !== undefined) yield { path, message: `"${glob}" is no method that MCP has`, hint: `did you mean "${meant}"?` };
    }
  },
};
