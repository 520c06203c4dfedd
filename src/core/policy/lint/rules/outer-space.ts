import type { PolicyPath } from '../../types.ts';
import type { LintRule, LintSubject } from '../finding.ts';
import { fieldsOf, patternsOf } from '../rule-fields.ts';

const PATH_OR_URL = /^(?:\/|~|\.{1,2}\/|\*\*\/|[A-Za-z]:[/\\]|[a-z][a-z0-9+.-]*:\/\/)\S*$/i;

/** `"read "` is no `read`. */
export const outerSpace: LintRule = {
  id: 'outer-space',
  severity: 'warning',
  summary: 'A name or a path has white space or an invisible character around it, which counts as a part of it.',
  *find(subject) {
    for (const { text, path } of namesIn(subject)) {
      // Nobody sees U+200B, and `trim` leaves it.
      const trimmed = text.replaceAll(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
      if (trimmed === text || trimmed === '') continue;
      yield {
        path,
        message: `${JSON.stringify(text)} has white space or an invisible character around it, which is a part of it here: ${JSON.stringify(trimmed)} is something else`,
        hint: `write ${JSON.stringify(trimmed)}`,
      };
    }
  },
};

function* namesIn({ policy, keysOf }: LintSubject): Iterable<{ readonly text: string; readonly path: PolicyPath }> {
  for (const rule of policy.rules) {
    for (const { glob: text, path, field } of patternsOf(rule)) {
      // Other texts may well begin or end with a space.
      if (text !== undefined && (field !== 'args' || PATH_OR_URL.test(text.trim()))) yield { text, path };
    }
    for (const { field, path } of fieldsOf(rule)) {
      const keys = field === 'args' ? path.slice(path.indexOf('args') + 1) : [];
      for (const text of keys) if (typeof text === 'string') yield { text, path };
    }
  }
  for (const key of ['allow', 'deny'] as const) {
    for (const [index, text] of policy.serverPolicy[key].entries()) yield { text, path: ['server_policy', key, index] };
  }
  for (const [category, globs] of Object.entries(policy.classify)) {
    for (const [index, text] of (globs ?? []).entries()) yield { text, path: ['classify', category, index] };
  }
  for (const text of keysOf(['rate_limits', 'server'])) yield { text, path: ['rate_limits', 'server', text] };
}
