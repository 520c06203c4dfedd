import { describe, expect, it } from 'vitest';

import type { Complaints } from '../../../src/core/policy/complaints.ts';
import { parseAction, parseRule } from '../../../src/core/policy/parse-rule.ts';
import { parseToml } from '../../../src/core/policy/toml.ts';
import type { Rule } from '../../../src/core/policy/types.ts';

function parse(text: string): { rule: Rule | undefined; errors: Complaints['errors'] } {
  const toml = parseToml(text);
  if (!toml.ok) throw new Error(toml.syntax.message);
  const to: Complaints = { errors: [], regex: undefined, needsRegex: false };
  return { rule: parseRule(toml.table, 0, to), errors: to.errors };
}

describe('parseRule', () => {
  it('reads every field', () => {
    const text = `action = "prompt"\ntool = "t"\nmethod = "m"\nserver = ["a", "b"]\nargs.x = 1\nid = "i"\ndescription = "d"\nmessage = "m"
      unless = { server = "a", args.x = 2 }`;
    expect(parse(text)).toMatchObject({
      errors: [],
      rule: {
        index: 0,
        action: 'prompt',
        tool: { patterns: ['t'] },
        method: { patterns: ['m'] },
        server: { patterns: ['a', 'b'] },
        args: [{ path: [{ kind: 'name', name: 'x' }] }],
        id: 'i',
        description: 'd',
        message: 'm',
        unless: { server: { patterns: ['a'] }, args: [{}] },
      },
    });
  });

  it.each([
    ['tool = "t"', [], 'a rule needs an action'],
    ['action = "block"\ntool = "t"', ['action'], 'unknown action "block"'],
    ['action = ["deny"]\ntool = "t"', ['action'], 'action must be a string, not a list'],
    ['action = "deny"', [], 'a rule needs a tool, resource, prompt or method to match'],
    ['action = "deny"\nserver = "s"\nargs.x = 1', [], 'a rule needs a tool, resource, prompt or method to match'],
    [
      'action = "deny"\ntool = "t"\nresource = "r"',
      ['resource'],
      'a call has one subject, so a rule about "tool" and "resource" never matches',
    ],
    ['action = "deny"\ntool = 5', ['tool'], 'tool must be a glob, a list of globs or a table of operators, not an integer'],
    ['action = "deny"\ntool = "t"\nid = 5', ['id'], 'id must be a string, not an integer'],
    ['action = "deny"\ntool = "t"\nid = " "', ['id'], 'an id cannot be empty'],
    [
      'action = "deny"\ntool = "t"\ndescription = 2020-01-01',
      ['description'],
      'description must be a string, not a date or time',
    ],
    ['action = "deny"\ntool = "t"\nunless = "x"', ['unless'], 'unless must be a table of match fields, not a string'],
    ['action = "deny"\ntool = "t"\nunless = {}', ['unless'], 'an empty "unless" would always match, so the rule never would'],
    ['action = "deny"\ntool = "t"\nunless.action = "allow"', ['unless', 'action'], 'unknown key "action" in unless'],
    ['action = "deny"\ntool = "t"\n__proto__ = { tool = "x" }', ['__proto__'], 'unknown key "__proto__" in a rule'],
    ['action = "deny"\ntool = "t"\nargs = "x"', ['args'], 'args must be a table of argument names, not a string'],
  ])('refuses %j', (text, path, message) => {
    expect(parse(text).errors).toEqual([expect.objectContaining({ path: ['rule', 0, ...path], message })]);
  });
});

describe('parseAction', () => {
  it('suggests the action that was meant', () => {
    const to: Complaints = { errors: [], regex: undefined, needsRegex: false };
    expect(parseAction('alow', ['a'], to)).toBeUndefined();
    expect(to.errors).toEqual([{ path: ['a'], message: 'unknown action "alow"', hint: 'did you mean "allow"?' }]);
    expect(parseAction('allow', ['a'], to)).toBe('allow');
  });
});
