import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LENIENT, STRICT, type JsonSyntax } from '../../src/clients/client.ts';
import { jsonTokens, visitJson, type JsonMistake } from '../../src/clients/jsonc.ts';
import { runs } from '../support/runs.ts';

/** What a visitor is told, one line each. */
function visited(
  text: string,
  syntax: JsonSyntax,
): { readonly mistake: JsonMistake | undefined; readonly told: readonly string[] } {
  const told: string[] = [];
  const mistake = visitJson(text, syntax, {
    onBegin: (isObject, start) => told.push(`${isObject ? 'object' : 'array'} from ${start}`),
    onEnd: (end) => told.push(`to ${end}`),
    onKey: (key, start, end) => told.push(`key ${key} ${start}-${end}`),
    onComma: (offset) => told.push(`comma ${offset}`),
    onScalar: (value, start, end) => told.push(`${JSON.stringify(value)} ${start}-${end}`),
  });
  return { mistake, told };
}

describe('visitJson', () => {
  it('tells the parts of a text with their places', () => {
    expect(visited('{"\\u0061": [1.50, /* b */ null,],}', LENIENT)).toEqual({
      mistake: undefined,
      told: [
        'object from 0',
        'key a 1-9',
        'array from 11',
        '1.5 12-16',
        'comma 16',
        'null 26-30',
        'comma 30',
        'to 32',
        'comma 32',
        'to 34',
      ],
    });
  });

  it('stops at the first mistake', () => {
    expect(visited('[1, 02, [3], nul]', STRICT)).toEqual({
      mistake: { offset: 5, expected: '"," or "]"', problem: undefined },
      told: ['array from 0', '1 1-2', 'comma 2', '0 4-5'],
    });
  });

  it.each([
    ['[', 1, 'a value or "]"', undefined],
    ['{"a": [1', 8, '"," or "]"', undefined],
    ['[1,]', 3, 'a value', 'trailing commas are not allowed here'],
    ['{"a": 1,}', 8, 'a key in double quotes', 'trailing commas are not allowed here'],
    ['[1,}', 3, 'a value', undefined],
    ['{"a": }', 6, 'a value', undefined],
    ['[1.]', 1, 'a value or "]"', 'a number is not well-formed'],
    ['["\\x"]', 1, 'a value or "]"', 'a string is not well-formed'],
    ['[]//', 2, 'the end of the file', 'comments are not allowed here'],
    ['['.repeat(1001), 1000, 'fewer levels', 'it nests deeper than 1000 levels here'],
    ['\uFEFF[]', 0, 'a value', undefined],
  ])('%j ends at %i', (text, offset, expected, problem) => {
    expect(visited(text, STRICT).mistake).toEqual({ offset, expected, problem });
  });
});

describe('jsonTokens', () => {
  it('gives strings decoded, and all else where it stands', () => {
    const text = '{"a\\n": -1.0e2} // why\n/* x */ [tru, true "b';
    const tokens = [...jsonTokens(text)].map(({ kind, start, end, value }) =>
      kind === 'string' || kind === 'number' ? [kind, value] : [kind, text.slice(start, end)],
    );
    expect(tokens).toEqual([
      ['{', '{'],
      ['string', 'a\n'],
      [':', ':'],
      ['number', '-1.0e2'],
      ['}', '}'],
      ['comment', '// why'],
      ['comment', '/* x */'],
      ['[', '['],
      ['bad', 'tru'],
      [',', ','],
      ['word', 'true'],
      ['bad', '"b'],
    ]);
  });

  it('leaves out white space and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'{}[],:"\\/*ntu01.e- \n\r', 'true', '//', '/*', '*/', '\u0001')), (parts) => {
        const text = parts.join('');
        let at = 0;
        for (const { start, end } of jsonTokens(text)) {
          expect(text.slice(at, start)).toMatch(/^[ \t\r\n]*$/);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(text.slice(at)).toMatch(/^[ \t\r\n]*$/);
      }),
      { numRuns: runs(500) },
    );
  });
});
