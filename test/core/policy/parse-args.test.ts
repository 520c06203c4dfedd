import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Complaints } from '../../../src/core/policy/complaints.ts';
import { parseArgs } from '../../../src/core/policy/parse-args.ts';
import { parseToml } from '../../../src/core/policy/toml.ts';
import type { ArgStep } from '../../../src/core/policy/types.ts';

function parse(text: string): { paths: string[]; errors: Complaints['errors'] } {
  const toml = parseToml(text);
  const value = toml.ok ? toml.table['args'] : undefined;
  if (value === undefined) throw new Error(text);
  const to: Complaints = { errors: [], regex: undefined, needsRegex: false };
  const matches = parseArgs(value, ['args'], to);
  return { paths: matches.map(({ path }) => path.map(show).join(' ')), errors: to.errors };
}

function show(step: ArgStep): string {
  return 'name' in step ? `${step.kind}:${step.name}` : step.kind;
}

describe('parseArgs', () => {
  it.each([
    ['args.path = "x"', ['name:path']],
    ['args.a.b = "x"\nargs.a.c = "y"', ['name:a name:b', 'name:a name:c']],
    ['args = { a = { b = { not = "x" } } }', ['name:a name:b']],
    ['args."*".b = "x"', ['any name:b']],
    ['args."**" = "x"', ['deep']],
    ['args."**"."**".a = "x"', ['deep name:a']],
    ['args."a.b" = "x"', ['name:a.b']],
    ['args."" = "x"', ['name:']],
    ['args.__proto__ = "x"', ['name:__proto__']],
    ['args."/a.b/not" = "x"', ['token:a.b token:not']],
    ['args."/a~1b~0/*" = { regex = "x" }', ['token:a/b~ token:*']],
    ['args."/~01" = "x"', ['token:~1']],
    ['args."/" = "x"', ['token:']],
  ])('reads %j', (text, paths) => {
    expect(parse(text).errors).toEqual([]);
    if (!text.includes('regex')) expect(parse(text).paths).toEqual(paths);
  });

  it('takes a JSON Pointer for an argument that is called like an operator, and any name directly under args', () => {
    expect(parse('args."/path/glob" = "x"')).toEqual({ paths: ['token:path token:glob'], errors: [] });
    expect(parse('args.pattern = "x"\nargs.max = 5')).toEqual({ paths: ['name:pattern', 'name:max'], errors: [] });
  });

  it('property: refuses whatever is one edit away from a long operator', () => {
    const slip = fc
      .tuple(fc.constantFrom('equals', 'exists', 'regex'), fc.nat(), fc.stringMatching(/^[a-zA-Z0-9_*/ .~-]$/))
      .chain(([word, at, letter]) => {
        const i = at % word.length;
        const [before, here, after] = [word.slice(0, i), word.charAt(i), word.slice(i + 1)];
        return fc.constantFrom(
          before + letter + here + after,
          word + letter,
          before + after,
          before + letter + after,
          before + after.charAt(0) + here + after.slice(1),
        );
      })
      .filter((word) => !['equals', 'exists', 'regex'].includes(word));
    const value = fc.constantFrom('"x"', '5', 'true', '["x"]', '{ not = "x" }');
    const isRefused = ([word, text]: [string, string]): boolean =>
      parse(`args.path = { ${JSON.stringify(word)} = ${text} }`).errors.length > 0;
    expect(fc.check(fc.property(fc.tuple(slip, value), isRefused), { numRuns: 2_000 })).toMatchObject({ failed: false });
  });

  it.each([
    ['args = 5', [], 'args must be a table of argument names, not an integer', undefined],
    ['args = {}', [], 'an empty table matches nothing', /name an argument/],
    ['args.x = {}', ['x'], 'an empty table matches nothing', /operators/],
    ['args.regex = "x"', ['regex'], '"regex" is an operator, so it belongs under an argument\'s name', /args\."\/regex"/],
    ['args.path = { not = "x", sub = "y" }', ['path'], 'operators and argument names cannot be mixed in one table', /not/],
    ['args.a = { nto = "x" }', ['a', 'nto'], '"nto" looks like an operator, but is not one', /"not"/],
    ['args.a.Regex = "x"', ['a', 'Regex'], '"Regex" looks like an operator, but is not one', /"regex"/],
    [
      'args.path = { glob = "/etc/**" }',
      ['path', 'glob'],
      '"glob" looks like an operator, but is not one',
      /^write a glob on its own.* args\."\/path\/glob"\)$/,
    ],
    [
      'args.a.b.eqals = "x"',
      ['a', 'b', 'eqals'],
      '"eqals" looks like an operator, but is not one',
      /"equals"\?.*"\/a\/b\/eqals"/,
    ],
    ['args."**".in = "x"', ['**', 'in'], '"in" looks like an operator, but is not one', /any of.*args\."\/…\/in"/],
    ['args.a.regx = { not = "x" }', ['a', 'regx'], '"regx" looks like an operator, but is not one', /"regex"/],
    ['args."/a~2" = "x"', ['/a~2'], '"/a~2" is not a JSON Pointer', /~0/],
    ['args."/a~" = "x"', ['/a~'], '"/a~" is not a JSON Pointer', /~1/],
    ['args."/a" = { b = "x" }', ['/a', 'b'], '"b" is not an operator', /in full/],
    ['args.a."/b" = "x"', ['a', '/b'], 'a JSON Pointer belongs directly under args', undefined],
    ['args."file*" = "x"', ['file*'], '"file*" is not an argument\'s name', /args\."\/file\*"/],
    ['args."a/b" = "x"', ['a/b'], '"a/b" is not an argument\'s name', /args\."\/a~1b"/],
    [`args.${Array(31).fill('a').join('.')} = "x"`, Array(31).fill('a'), 'an argument path has at most 30 segments', undefined],
  ])('refuses %j', (text, path, message, hint) => {
    const { errors } = parse(text);
    expect(errors).toEqual([
      { path: ['args', ...path], message, ...(hint === undefined ? {} : { hint: expect.stringMatching(hint) }) },
    ]);
  });
});
