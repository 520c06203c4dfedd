import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../src/protocol/json-scanner.ts';

/** Does the scanner take the whole text as one JSON value? */
function accepts(text: string, maxDepth?: number): boolean {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner(maxDepth);
  scanner.reset(bytes, 0, bytes.length);
  return scanner.skipValue() && scanner.peek() === -1;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('JsonScanner', () => {
  it.each([
    'null',
    'true',
    'false',
    '0',
    '-0',
    '-12.50e+3',
    '1E9',
    '""',
    '"a\\"b"',
    '"\\\\"',
    '[]',
    '{}',
    ' [ 1 , [ ] , { } ] ',
    '{"a":{"b":[1,2,{"c":null}]}}',
    `"${'x'.repeat(100)}\\"${'y'.repeat(100)}"`,
    `"${'\\\\'.repeat(50)}"`,
    '"\u00fc\u{1f600}"',
  ])('accepts %s', (text) => {
    expect(accepts(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'nul',
    'truefalse',
    '01',
    '1.',
    '.5',
    '-',
    '+1',
    '1e',
    '0x10',
    'NaN',
    '"',
    '"\\"',
    `"${'x'.repeat(100)}`,
    `"${'x'.repeat(100)}\\"`,
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1',
    '[1}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '{"a":1]',
    '[/*"*/1]',
    '1 2',
    '[1]]',
  ])('refuses %s', (text) => {
    expect(accepts(text)).toBe(false);
  });

  it('refuses carriage returns and line feeds between tokens, where other readers see a line end', () => {
    expect(accepts('[1,\r2]')).toBe(false);
    expect(accepts('[1,\n2]')).toBe(false);
  });

  it('accepts what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom('', '\t', ' '), (value, indent) => {
        const text = JSON.stringify(value);
        expect(accepts(`${indent}${text}${indent}`)).toBe(true);
      }),
    );
  });

  it('agrees with JSON.parse about damaged texts', () => {
    const damage = fc.record({
      value: fc.jsonValue(),
      at: fc.nat(),
      put: fc.constantFrom('', ',', '"', '{', '}', '[', ']', ':', '0', '-', 'e', 'x', '\\'),
    });
    fc.assert(
      fc.property(damage, ({ value, at, put }) => {
        const text = JSON.stringify(value);
        const cut = at % (text.length + 1);
        const damaged = `${text.slice(0, cut)}${put}${text.slice(cut + 1)}`;
        // Bad escapes are left to the parser; everything else must be seen here already.
        if (damaged.includes('\\')) return;
        expect(accepts(damaged)).toBe(parses(damaged));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the end of long strings, however escapes lie in them', () => {
    const piece = fc.constantFrom(
      '\\\\',
      '\\"',
      '\\n',
      'x',
      'long text without any escapes in it, more than the short ones',
      '\\u0022',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60, size: 'max' }), (pieces) => {
        const text = `"${pieces.join('')}"`;
        const bytes = Buffer.from(`${text},"behind"`);
        const scanner = new JsonScanner();
        scanner.reset(bytes, 0, bytes.length);
        expect(scanner.skipString()).toBe(true);
        expect(scanner.pos).toBe(Buffer.byteLength(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes nesting up to its limit and no deeper', () => {
    expect(accepts('['.repeat(5) + ']'.repeat(5), 5)).toBe(true);
    expect(accepts('['.repeat(6) + ']'.repeat(6), 5)).toBe(false);
    expect(accepts('{"a":'.repeat(6) + '1' + '}'.repeat(6), 5)).toBe(false);
  });

  it('survives nesting that would overflow a call stack', () => {
    expect(accepts('['.repeat(1_000_000))).toBe(false);
  });
});
