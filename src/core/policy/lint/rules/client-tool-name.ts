import { literalsOf } from '../../relation/name-relation.ts';
import type { LintRule } from '../finding.ts';
import { fieldsOf, patternsOf } from '../rule-fields.ts';

/** A tool by the name that a client gives it for its model. Servers and rules know it by its own. */
export const clientToolName: LintRule = {
  id: 'client-tool-name',
  severity: 'warning',
  summary: 'A tool is named as clients name it to their models, and no call has that name.',
  *find({ policy }) {
    const servers = new Set(
      policy.rules.flatMap((rule) =>
        fieldsOf(rule).flatMap(({ field, matcher }) => (field === 'server' ? (literalsOf(matcher) ?? []) : [])),
      ),
    );
    for (const { glob, path, field } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined || field !== 'tool') continue;
      const isMarked = glob.startsWith('mcp__');
      const form = isMarked ? /^mcp__([^*?]+?)__(.+)$/ : /^([^*?]+?)__(.+)$/;
      const [, server = '', tool = ''] = form.exec(glob) ?? [];
      if (!isMarked && !servers.has(server)) continue;
      const hint = server === '' ? 'name the server in server = "…"' : `write server = "${server}" and tool = "${tool}"`;
      yield {
        path,
        message: `"${glob}" is how a client names a tool to its model; calls have the server's own name for it`,
        hint,
      };
    }
  },
};
