import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

const ODD: readonly [RegExp, string][] = [
  [/^[a-z][a-z0-9+.-]*:\/\//i, 'a URL'],
  [/^(?:npx|uvx|node|python3?|docker|bunx|deno)\s/, 'a command'],
  [/^(?:\/|~\/|\.\.?\/|[A-Za-z]:\\)|\.(?:m?js|py|ts|exe)$/, 'a program'],
];

/** Servers have names, under which clients list them. */
export const oddServerName: LintRule = {
  id: 'odd-server-name',
  severity: 'warning',
  summary: "A server is named by its URL or command; rules know it by the name in the client's config.",
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
        hint: "the name that the client's config has for it; `clawai status` lists them",
      };
    }
  },
};
