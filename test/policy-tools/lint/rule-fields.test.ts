import { describe, expect, it } from 'vitest';

import { fieldsOf, patternsOf } from '../../../src/policy-tools/lint/rule-fields.ts';
import { policyFrom } from '../../support/policy.ts';

const [RULE] = policyFrom(`[[rule]]
action = "allow"
tool = ["a", "b"]
args.x."*" = { not = "c", regex = "d" }
args."/p/q~1r" = "e"
unless.server = "f"
`).rules;

describe('fields of a rule', () => {
  it('have places in the policy, and the mode that they are evaluated in', () => {
    if (RULE === undefined) throw new Error('no rule');
    expect(fieldsOf(RULE).map(({ field, path, mode }) => [field, path.slice(2).join(' '), mode])).toEqual([
      ['tool', 'tool', 'certain'],
      ['args', 'args x *', 'certain'],
      ['args', 'args /p/q~1r', 'certain'],
      ['server', 'unless server', 'possible'],
    ]);
  });

  it('have patterns, also inside of "not", where the mode is the other one', () => {
    if (RULE === undefined) throw new Error('no rule');
    expect(patternsOf(RULE).map(({ glob, regex, path, mode }) => [glob ?? regex?.source, path.slice(2).join(' '), mode])).toEqual(
      [
        ['a', 'tool 0', 'certain'],
        ['b', 'tool 1', 'certain'],
        ['c', 'args x * not', 'possible'],
        ['d', 'args x * regex', 'certain'],
        ['e', 'args /p/q~1r', 'certain'],
        ['f', 'unless server', 'possible'],
      ],
    );
  });
});
