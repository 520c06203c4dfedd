import { describe, expect, it } from 'vitest';

import type { Complaints } from '../../../src/core/policy/complaints.ts';
import { parseMatcher, type FieldKind } from '../../../src/core/policy/parse-matcher.ts';
import { compileRegex } from '../../../src/core/patterns/regex.ts';
import { parseToml } from '../../../src/core/policy/toml.ts';
import type { Matcher } from '../../../src/core/policy/types.ts';

function parse(text: string, kind: FieldKind): { matcher: Matcher | undefined; errors: Complaints['errors'] } {
  const toml = parseToml(`v = ${text}`);
  const value = toml.ok ? toml.table['v'] : undefined;
  if (value === undefined) throw new Error(text);
  const to: Complaints = { errors: [], regex: compileRegex, needsRegex: false };
  return { matcher: parseMatcher(value, { path: ['v'], kind }, to), errors: to.errors };
}

const five = { negative: false, digits: '5', exponent: 1 };

describe('parseMatcher', () => {
  it.each([
    ['"a*"', { op: 'globs', patterns: ['a*'] }],
    ['["a", "b"]', { op: 'globs', patterns: ['a', 'b'] }],
    ['5', { op: 'equals', value: five }],
    ['true', { op: 'equals', value: true }],
    [
      '["a", 5, "b"]',
      {
        op: 'any',
        of: [
          { op: 'globs', patterns: ['a', 'b'] },
          { op: 'equals', value: five },
        ],
      },
    ],
    ['{ equals = "a*" }', { op: 'equals', value: 'a*' }],
    ['{ exists = false }', { op: 'exists', present: false }],
    ['{ not = ["a", "b"] }', { op: 'not', inner: { op: 'globs', patterns: ['a', 'b'] } }],
    ['{ not = { gte = 5 } }', { op: 'not', inner: { op: 'compare', comparison: 'gte', bound: five } }],
    ['{ gt = 5, lt = 9 }', { op: 'all', of: [{ op: 'compare' }, { op: 'compare', comparison: 'lt' }] }],
    ['{ gt = 9007199254740993 }', { op: 'compare', bound: { digits: '9007199254740993' } }],
    ['{ lt = -0.5 }', { op: 'compare', bound: { negative: true, digits: '5', exponent: 0 } }],
    ['{ regex = "^a" }', { op: 'regex', regex: { source: '^a' } }],
  ])('reads %s', (text, matcher) => {
    expect(parse(text, 'argument')).toMatchObject({ matcher, errors: [] });
  });

  it.each<[string, FieldKind, string[], string]>([
    ['""', 'argument', [], 'an empty glob matches nothing'],
    ['"a\\u0000"', 'name', [], 'a glob cannot contain a NUL character'],
    ['["a", ""]', 'argument', ['1'], 'an empty glob matches nothing'],
    ['[]', 'argument', [], 'an empty list matches nothing'],
    ['{}', 'argument', [], 'an empty table matches nothing'],
    ['[["a"]]', 'argument', ['0'], 'a list holds plain values, not a list'],
    ['[{ not = "a" }]', 'argument', ['0'], 'a list holds plain values, not a table'],
    ['2020-01-01', 'argument', [], 'v must be a string, a number or a boolean, not a date or time'],
    ['inf', 'argument', [], 'v must be a string, a number or a boolean, not a number'],
    ['9223372036854775808', 'argument', [], 'an integer beyond 64 bits is not exact in TOML'],
    ['{ gt = 9223372036854775808 }', 'argument', ['gt'], 'an integer beyond 64 bits is not exact in TOML'],
    ['{ gt = "5" }', 'argument', ['gt'], 'v.gt must be a number, not a string'],
    ['{ exists = 1 }', 'argument', ['exists'], 'v.exists must be true or false, not an integer'],
    ['{ regex = 1 }', 'argument', ['regex'], 'v.regex must be a string, not an integer'],
    ['{ regex = "(" }', 'argument', ['regex'], 'bad regex: error parsing regexp: missing closing ): `(`'],
    ['{ equals = [1] }', 'argument', ['equals'], 'v.equals must be a string, a number or a boolean, not a list'],
    ['{ not = "" }', 'argument', ['not'], 'an empty glob matches nothing'],
    ['{ regx = "a" }', 'argument', ['regx'], 'unknown operator "regx"'],
    ['{ __proto__ = "a" }', 'argument', ['__proto__'], 'unknown operator "__proto__"'],
    ['5', 'name', [], 'v must be a glob, a list of globs or a table of operators, not an integer'],
    ['[5]', 'name', ['0'], 'v must be a glob, a list of globs or a table of operators, not an integer'],
    ['{ equals = 5 }', 'name', ['equals'], 'v.equals must be a string, not an integer'],
    ['{ gt = 5 }', 'name', ['gt'], '"gt" is for arguments: a name is always there and always text'],
    ['{ exists = true }', 'name', ['exists'], '"exists" is for arguments: a name is always there and always text'],
  ])('refuses %s as %s', (text, kind, path, message) => {
    const { errors } = parse(text, kind);
    expect(errors.map((error) => [error.path.map(String), error.message])).toEqual([[['v', ...path], message]]);
  });

  it('suggests the operator that was meant', () => {
    expect(parse('{ exsits = true }', 'argument').errors[0]?.hint).toBe('did you mean "exists"?');
    expect(parse('{ zzzzzz = true }', 'argument').errors[0]?.hint).toBe(
      'operators: not, regex, equals, gt, gte, lt, lte, exists',
    );
  });
});
