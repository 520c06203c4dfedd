import { isAboutNative } from '../../relation/rule-relation.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

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
  summary: "A rule names an agent's own tool and is not about these, so the tool passes by it.",
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
          message: `"${glob}" looks like an agent's own tool, and a rule without a server is about tools of servers only`,
          hint: 'add server = "native", or name the server whose tool it is',
        };
      }
    }
  },
};
