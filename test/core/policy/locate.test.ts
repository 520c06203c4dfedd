import { describe, expect, it } from 'vitest';

import { createLocator, locate } from '../../../src/core/policy/locate.ts';
import { readTomlLayout } from '../../../src/core/policy/toml-layout.ts';

const TEXT = `# a policy
[defaults]
  action = "deny"

[[rule]]
action = "deny"
tool = ["a",
  "b"]
args.options."a.b" = { gtt = 1 }

[[rule]]
unless = { tool = "x", args = { y = [1, { z = 2 }] } }
[rule.args]
path = 5
`;

describe('locate', () => {
  it.each([
    [[], 1, 1],
    [['defaults'], 2, 1],
    [['defaults', 'action'], 3, 3],
    [['rule', 0], 5, 1],
    [['rule', 0, 'action'], 6, 1],
    [['rule', 0, 'tool', 1], 8, 3],
    [['rule', 0, 'args', 'options'], 9, 6],
    [['rule', 0, 'args', 'options', 'a.b'], 9, 14],
    [['rule', 0, 'args', 'options', 'a.b', 'gtt'], 9, 24],
    [['rule', 1], 11, 1],
    [['rule', 1, 'action'], 11, 1],
    [['rule', 1, 'unless', 'tool'], 12, 12],
    [['rule', 1, 'unless', 'args', 'y', 1, 'z'], 12, 43],
    [['rule', 1, 'args', 'path'], 14, 1],
    [['rule'], 5, 1],
    [['rule', 7], 5, 1],
    [['nowhere'], 1, 1],
  ])('%j is at %i:%i', (path, line, column) => {
    expect(locate(TEXT, path)).toEqual({ line, column });
  });

  it.each([
    ['a list of tables under the wrong name', '[[rules]]\naction = "deny"', ['rules']],
    ['another letter case', '[[Rule]]\naction = "deny"', ['Rule']],
    ['a table instead of a list of them', '[rule]\naction = "deny"', ['rule']],
    ['a table in what is not there', '[rule.args]\npath = "x"', ['rule']],
    ['a list instead of a table', '[[defaults]]\naction = "deny"', ['defaults']],
    ['a list in a table', '[[defaults.action]]', ['defaults', 'action']],
    ['what a quoted header names', '["a.b"]', ['a.b']],
  ])('finds %s', (_case, text, path) => {
    const before = '# a policy\n\n  ';
    expect(locate(before + text, path)).toEqual({ line: 3, column: 3 });
  });

  it('sees past a BOM, and does not fail on what is no TOML', () => {
    expect(locate('\uFEFFa = 1', ['a'])).toEqual({ line: 1, column: 1 });
    expect(locate('a = [', ['a'])).toEqual({ line: 1, column: 1 });
  });
});

it('places many paths at one reading', () => {
  const { nearest, exact } = createLocator(readTomlLayout(TEXT));
  const paths = [[], ['rule', 0, 'tool', 1], ['rule', 1, 'args', 'path'], ['nothing']];
  expect(paths.map(nearest)).toEqual(paths.map((path) => locate(TEXT, path)));
  expect(nearest(['rule', 0, 'tool', 1])).toEqual({ line: 8, column: 3 });
  expect(exact(['rule', 0, 'tool', 1])).toEqual({ line: 8, column: 3 });
  expect(exact(['rule', 1])).toEqual({ line: 11, column: 1 });
  expect(exact(['rule', 7])).toBeUndefined();
  expect(exact(['nowhere'])).toBeUndefined();
});
