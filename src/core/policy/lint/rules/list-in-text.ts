import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** Names of tools and methods have neither commas nor bars nor spaces around them (MCP 2026-07-28, tool names). */
const SEVERAL = /^[\w./*?-]+(?:\s*[,|;]\s*[\w./*?-]+)+$/;

/** Several names in one text. */
export const listInText: LintRule = {
  id: 'list-in-text',
  severity: 'warning',
  summary: 'Several names stand in one text, which is one name.',
  *find({ policy }) {
    for (const { glob, path, field } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined || field === 'args' || field === 'resource' || !SEVERAL.test(glob)) continue;
      const names = glob.split(/\s*[,|;]\s*/).map((name) => JSON.stringify(name));
      yield { path, message: `"${glob}" is one name, and no ${field} has it`, hint: `write a list: [${names.join(', ')}]` };
    }
  },
};
