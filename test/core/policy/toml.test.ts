import { describe, expect, it } from 'vitest';

import { describeToml, isBeyond64Bits, isTomlTable, parseToml, type TomlValue } from '../../../src/core/policy/toml.ts';

function value(text: string): TomlValue {
  const result = parseToml(`v = ${text}`);
  const found = result.ok ? result.table['v'] : undefined;
  if (found === undefined) throw new Error(text);
  return found;
}

describe('parseToml', () => {
  it('keeps integers exact and skips a BOM', () => {
    expect(parseToml('\uFEFFa = 9007199254740993')).toMatchObject({ ok: true, table: { a: 9007199254740993n } });
  });

  it.each([
    ['a = [1,', 1],
    ['a = 1\nb = ', 2],
    ['a = 1\na = 2', 2],
    ['\n\n[x', 3],
  ])('places the fault in %j', (text, line) => {
    const result = parseToml(text);
    expect(result).toMatchObject({
      ok: false,
      syntax: { line, column: expect.any(Number), message: expect.stringMatching(/^[a-z][^\n]+$/) },
    });
  });

  it('does not follow nesting without end', () => {
    expect(parseToml(`a = ${'['.repeat(5_000)}`).ok).toBe(false);
  });
});

describe('what a value is', () => {
  it.each([
    ['"x"', 'a string'],
    ['true', 'a boolean'],
    ['1', 'an integer'],
    ['9007199254740993', 'an integer'],
    ['1.5', 'a number'],
    ['inf', 'a number'],
    ['[]', 'a list'],
    ['{}', 'a table'],
    ['2020-01-01', 'a date or time'],
    ['07:30:00', 'a date or time'],
  ])('%s is %s', (text, description) => {
    expect(describeToml(value(text))).toBe(description);
    expect(isTomlTable(value(text))).toBe(description === 'a table');
  });

  it('knows where exactness ends', () => {
    expect([2n ** 63n - 1n, -(2n ** 63n)].map(isBeyond64Bits)).toEqual([false, false]);
    expect([2n ** 63n, -(2n ** 63n) - 1n].map(isBeyond64Bits)).toEqual([true, true]);
  });
});
