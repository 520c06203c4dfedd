import { expect, it } from 'vitest';

import { formatGithubLints } from '../../../../src/cli/policy/lint/lint-formats.ts';

it('lets nothing of a policy steer a terminal or begin a command', () => {
  const lint = {
    id: 'foreign-glob',
    severity: 'warning',
    message: '"\u001B[31m\n::error::x%"',
    hint: 'a\u001Bb',
    line: 2,
    column: 3,
    related: [],
  } as const;
  const output = { file: 'p.toml', ok: false, fixed: [], summary: '1 warning', report: { lints: [lint], ignored: [] } };
  expect(formatGithubLints(output)).toBe(
    '::warning file=p.toml,line=2,col=3,title=foreign-glob::"\uFFFD[31m\uFFFD::error::x%25"%0Aa\uFFFDb\np.toml: 1 warning\n',
  );
});
