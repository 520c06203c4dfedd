import { describe, expect, it } from 'vitest';

import { readIgnores, ruleExtents } from '../../../src/policy-tools/lint/ignores.ts';
import { readTomlLayout } from '../../../src/core/policy/toml-layout.ts';

const TEXT = `# head

# of the first
[[rule]]
tool = "a"
[rule.args]
x = 1

# of the second
[[rule]] # lint-ignore a-b, c-d: the reason: all of it
tool = "b"

[flow]
# lint-ignore e-f: why
# more
enabled = false
`;

describe('lint-ignore', () => {
  const layout = readTomlLayout(TEXT);
  const extents = ruleExtents(TEXT, layout);

  it('a rule extends from its comments to those of the next table', () => {
    expect(extents.map(({ index, start, end }) => [index, TEXT.slice(start, end)])).toEqual([
      [0, '# of the first\n[[rule]]\ntool = "a"\n[rule.args]\nx = 1\n\n'],
      [1, '# of the second\n[[rule]] # lint-ignore a-b, c-d: the reason: all of it\ntool = "b"\n\n'],
    ]);
  });

  it('is about its own line, or the next that is no comment', () => {
    const ignores = readIgnores(TEXT, layout, extents);
    expect(ignores).toMatchObject([
      { ids: ['a-b', 'c-d'], reason: 'the reason: all of it', line: 10, about: 10, rule: 1 },
      { ids: ['e-f'], reason: 'why', line: 14, about: 16, rule: undefined },
    ]);
    expect(ignores.map(({ start, end }) => TEXT.slice(start, end))).toEqual([
      ' # lint-ignore a-b, c-d: the reason: all of it',
      '# lint-ignore e-f: why\n',
    ]);
  });
});
