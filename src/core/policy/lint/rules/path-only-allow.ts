import { readsPaths } from '../../relation/arg-relation.ts';
import { ANY_NAME, includesName } from '../../relation/name-relation.ts';
import type { LintRule } from '../finding.ts';
import { ruleName } from '../rule-name.ts';

/** An allow rule that looks at a path and at nothing else: what is done there, it does not ask. */
export const pathOnlyAllow: LintRule = {
  id: 'path-only-allow',
  severity: 'warning',
  summary: 'An allow rule rests on a path alone, so tools that delete or run what is there are allowed, too.',
  *find({ policy }) {
    for (const rule of policy.rules) {
      const { action, tool, server, category, fingerprint, args } = rule;
      if (action !== 'allow' || server !== undefined || category !== undefined || fingerprint !== undefined) continue;
      if (tool === undefined || !includesName([tool], ANY_NAME)) continue;
      if (!args.some(({ matcher }) => readsPaths(matcher))) continue;
      yield {
        path: ['rule', rule.index, 'tool'],
        message: `${ruleName(rule)} allows every tool of every server that has such a path, also one that deletes or runs what is there`,
        hint: 'name the tools or the server, or what the tools do: category = "read"',
      };
    }
  },
};
