import { expect, it } from 'vitest';
import { createLocator } from '../../../src/core/policy/locate.ts';
import { findRuleHeaders, readTomlLayout } from '../../../src/core/policy/toml-layout.ts';

const TEXT = `# [[rule]] in a comment
[defaults]
action = "deny" # and "behind" a value

  [[rule]]
action = "deny"
tool = 'a[[rule]]'
description = """
[[rule]] in \\""" a text
"""
[[ rule ]]
action = "deny"
tool = "**"
message = '''
[[rule]]
'''
[rule.args]
"a\\"#" = "[[rule]]"
[[rule]] # the third
`;

it('finds the headers of rules, and nothing that only looks like one', () => {
  expect(findRuleHeaders(TEXT)).toEqual([5, 11, 19]);
});

it('is where the parser says, also with a BOM and other line ends', () => {
  for (const text of [TEXT, `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`]) {
    const { exact } = createLocator(readTomlLayout(text));
    expect(findRuleHeaders(text)).toEqual([0, 1, 2].map((index) => exact(['rule', index])?.line));
  }
});

it('leaves out what is written otherwise', () => {
  expect(findRuleHeaders('rule = [{ action = "deny", tool = "a" }]')).toEqual([]);
  expect(findRuleHeaders('[["rule"]]\naction = "deny"')).toEqual([]);
});
