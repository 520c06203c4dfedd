import { includesGlob } from '../../relation/glob-language.ts';
import { literalsOf } from '../../relation/name-relation.ts';
import type { LintRule } from '../finding.ts';
import { ruleName } from '../rule-name.ts';

/** A rule about servers that there may not be. */
export const deniedServer: LintRule = {
  id: 'denied-server',
  severity: 'warning',
  summary: 'A rule is about a server that [server_policy] denies before any rule is asked.',
  *find({ policy }) {
    const { mode, allow, deny } = policy.serverPolicy;
    if (mode === 'none') return;
    for (const rule of policy.rules) {
      const names = rule.server === undefined ? undefined : literalsOf(rule.server);
      // The agent's own tools are of no server.
      if (names === undefined || names.length === 0 || names.includes('native')) continue;
      const isDenied = (name: string): boolean =>
        deny.some((glob) => includesGlob(glob, name)) ||
        (mode === 'allowlist' && !allow.some((glob) => includesGlob(glob, name)));
      if (!names.every(isDenied)) continue;
      yield {
        path: ['rule', rule.index, 'server'],
        message: `${ruleName(rule)} is never asked: [server_policy] denies every call of ${names.join(', ')}`,
        hint:
          mode === 'allowlist'
            ? 'name the server in server_policy.allow, or remove the rule'
            : 'take the server out of server_policy.deny, or remove the rule',
      };
    }
  },
};
