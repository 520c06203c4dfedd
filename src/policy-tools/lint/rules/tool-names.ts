import { literalsOf } from '../../relation/name-relation.ts';
import { isAboutNative } from '../../relation/rule-relation.ts';
import type { LintRule } from '../finding.ts';
import { fieldsOf, patternsOf } from '../rule-fields.ts';

/** A tool by the name that a client gives it for its model. Servers and rules know it by its own. */
export const clientToolName: LintRule = {
  id: 'client-tool-name',
  severity: 'warning',
  summary: 'A tool has the name that clients show their models, and no call has that name.',
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
        message: `"${glob}" is the name that a client shows its model; calls have the server's own name`,
        hint,
      };
    }
  },
};

/** Own tools of agents, by names that hardly a server gives to one of its tools. */
const NATIVE_NAMES: ReadonlySet<string> = new Set([
  'Bash',
  'BashOutput',
  'Edit',
  'KillShell',
  'MultiEdit',
  'NotebookEdit',
  'PowerShell',
  'Read',
  'WebFetch',
  'WebSearch',
  'Write',
]);

/** `tool = "Bash"` alone is about a server's tool of that name. */
export const nativeTool: LintRule = {
  id: 'native-tool',
  severity: 'warning',
  summary: "A rule names an agent's own tool but does not match such tools, so the tool passes.",
  *find({ policy }) {
    const known = new Set(
      policy.rules
        .filter(isAboutNative)
        .flatMap((rule) => patternsOf(rule).flatMap(({ field, glob }) => (field === 'tool' ? [glob] : []))),
    );
    for (const rule of policy.rules) {
      if (rule.action === 'allow' || rule.server !== undefined) continue;
      for (const { glob, path, field, mode } of patternsOf(rule)) {
        if (glob === undefined || field !== 'tool' || mode !== 'possible' || path.includes('unless')) continue;
        if (!NATIVE_NAMES.has(glob) || known.has(glob)) continue;
        yield {
          path,
          message: `"${glob}" looks like an agent's own tool, but a rule without a server only matches tools of servers`,
          hint: 'add server = "native", or name the server whose tool it is',
        };
      }
    }
  },
};
