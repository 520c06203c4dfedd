import { includesGlob } from '../../relation/glob-language.ts';
import { literalsOf } from '../../relation/name-relation.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf, ruleName } from '../rule-fields.ts';

/** A rule about servers that are not permitted. */
export const deniedServer: LintRule = {
  id: 'denied-server',
  severity: 'warning',
  summary: 'A rule names a server that [server_policy] denies before any rule is tried.',
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
        message: `${ruleName(rule)} is never tried: [server_policy] denies every call of ${names.join(', ')}`,
        hint:
          mode === 'allowlist'
            ? 'name the server in server_policy.allow, or remove the rule'
            : 'take the server out of server_policy.deny, or remove the rule',
      };
    }
  },
};

const ODD: readonly [RegExp, string][] = [
  [/^[a-z][a-z0-9+.-]*:\/\//i, 'a URL'],
  [/^(?:npx|uvx|node|python3?|docker|bunx|deno)\s/, 'a command'],
  [/^(?:\/|~\/|\.\.?\/|[A-Za-z]:\\)|\.(?:m?js|py|ts|exe)$/, 'a program'],
];

/** Servers have names, under which clients list them. */
export const oddServerName: LintRule = {
  id: 'odd-server-name',
  severity: 'warning',
  summary: "A rule names a server by its URL or command, not by its name in the client's config.",
  *find({ policy }) {
    const { allow, deny } = policy.serverPolicy;
    const lists = (['allow', 'deny'] as const).flatMap((key) => {
      return (key === 'allow' ? allow : deny).map((glob, index) => ({ glob, path: ['server_policy', key, index] }));
    });
    const fields = policy.rules.flatMap(patternsOf).filter(({ field }) => field === 'server');
    for (const { glob = '', path } of [...fields, ...lists]) {
      const odd = ODD.find(([form]) => form.test(glob));
      if (odd === undefined) continue;
      yield {
        path,
        message: `"${glob}" looks like ${odd[1]}; a server is known by its name`,
        hint: "use its name in the client's config; `clawai status` lists them",
      };
    }
  },
};

/** Lists of servers that say nothing, or leave no server. */
export const serverList: LintRule = {
  id: 'server-list',
  severity: 'warning',
  summary: 'A list in [server_policy] has no effect, or permits no server.',
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
          message: `server_policy.${key} has no effect while policy is "none"`,
          hint: `set policy = "${key}list" to use it`,
        };
      }
      return;
    }
    if (mode === 'denylist' && allow.length > 0) {
      yield {
        path: ['server_policy', 'allow'],
        message: 'server_policy.allow has no effect while policy is "denylist"',
        hint: 'set policy = "allowlist" to use it',
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
        message: `"${name}" is still denied: server_policy.deny has "${deny[at]}"`,
        hint: 'keep it in one of the two lists',
        related: [{ path: ['server_policy', 'deny', at], message: 'denied here' }],
      };
    }
  },
};
