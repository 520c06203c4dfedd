import { includesGlob } from '../../relation/glob-language.ts';
import type { LintRule } from '../finding.ts';

/** Lists of servers that say nothing, or leave no server. */
export const serverList: LintRule = {
  id: 'server-list',
  severity: 'warning',
  summary: 'A list in [server_policy] has no effect, or leaves no server.',
  *find({ policy }) {
    const { mode, allow, deny } = policy.serverPolicy;
    if (mode === 'none') {
      for (const [key, list] of [
        ['allow', allow],
        ['deny', deny],
      ] as const) {
        if (list.length === 0) continue;
        yield {
          path: ['server_policy', key],
          message: `server_policy.${key} says nothing while policy is "none"`,
          hint: `policy = "${key}list" makes it count`,
        };
      }
      return;
    }
    if (mode === 'denylist' && allow.length > 0) {
      yield {
        path: ['server_policy', 'allow'],
        message: 'server_policy.allow says nothing while policy is "denylist"',
        hint: 'policy = "allowlist" makes it count',
      };
    }
    if (mode === 'allowlist' && allow.length === 0) {
      yield {
        path: ['server_policy'],
        message: 'no server is in server_policy.allow, so every call is denied',
        hint: 'name your servers: `clawai status` lists them',
      };
    }
    if (mode !== 'allowlist') return;
    for (const [index, name] of allow.entries()) {
      const at = deny.findIndex((glob) => includesGlob(glob, name));
      if (at === -1) continue;
      yield {
        path: ['server_policy', 'allow', index],
        message: `"${name}" is denied all the same: server_policy.deny has "${deny[at]}"`,
        hint: 'keep it in one of the two lists',
        related: [{ path: ['server_policy', 'deny', at], message: 'denied here' }],
      };
    }
  },
};
