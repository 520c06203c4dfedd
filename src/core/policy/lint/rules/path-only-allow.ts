import { SUBJECT_METHODS } from '../../../call.ts';
import { readsPaths } from '../../relation/arg-relation.ts';
import { includesName } from '../../relation/name-relation.ts';
import { withMethod } from '../../relation/rule-relation.ts';
import type { Matcher } from '../../types.ts';
import type { LintRule } from '../finding.ts';
import { ruleName } from '../rule-name.ts';

/** Hardly a tool has a slash in its name, so `*` is any tool as well. */
const ANY_TOOL: Matcher = { op: 'globs', patterns: ['*'] };
const CALLING: Matcher = { op: 'equals', value: SUBJECT_METHODS.tool };

/** An allow rule that looks at a path and at nothing else: what is done there, it does not ask. */
export const pathOnlyAllow: LintRule = {
  id: 'path-only-allow',
  severity: 'warning',
  summary: 'An allow rule rests on a path alone, so tools that delete or run what is there are allowed, too.',
  *find({ policy }) {
    for (const rule of policy.rules) {
      const { action, tool, server, category, fingerprint, args } = rule;
      if (action !== 'allow' || server !== undefined || category !== undefined || fingerprint !== undefined) continue;
      const { method } = withMethod(rule);
      if (method === undefined || !includesName([method], CALLING)) continue;
      if (tool !== undefined && !includesName([tool], ANY_TOOL)) continue;
      if (!args.some(({ matcher }) => readsPaths(matcher))) continue;
      yield {
        path: ['rule', rule.index, tool === undefined ? 'method' : 'tool'],
        message: `${ruleName(rule)} allows every tool of every server that has such a path, also one that deletes or runs what is there`,
        hint: 'name the tools or the server, or what the tools do: category = "read"',
      };
    }
  },
};
