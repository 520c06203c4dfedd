import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** Names of tools and methods have neither commas nor bars nor spaces around them (MCP 2026-07-28, tool names). */
const SEVERAL = /^[\w./*?-]+(?:\s*[,|;]\s*[\w./*?-]+)+$/;

/** Arguments have commas and bars often enough: several paths in one text begin as paths each, and a bar between words is no pipe of a shell. */
const SEVERAL_PATHS = /^(?:~|\.{0,2}\/|\*\*)[^\s|,;]*(?:\s*[|,;]\s*(?:~|\.{0,2}\/|\*\*\/?[\w.])[^\s|,;]*)+$/;
const SEVERAL_WORDS = /^[\w.-]+(?:\|[\w.-]+)+$/;

/** Several names in one text. */
export const listInText: LintRule = {
  id: 'list-in-text',
  severity: 'warning',
  summary: 'Several names stand in one text, which is one name.',
  *find({ policy }) {
    for (const { glob, path, field } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined) continue;
      const isName = field !== 'args' && field !== 'resource';
      if (isName ? !SEVERAL.test(glob) : !SEVERAL_PATHS.test(glob) && !SEVERAL_WORDS.test(glob)) continue;
      const names = glob.split(/\s*[,|;]\s*/).map((name) => JSON.stringify(name));
      const message = isName
        ? `"${glob}" is one name, and no ${field} has it`
        : `"${glob}" is one text, and none of its parts matches by itself`;
      yield { path, message, hint: `write a list: [${names.join(', ')}]` };
    }
  },
};
