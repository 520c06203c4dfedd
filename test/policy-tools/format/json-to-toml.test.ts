import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValue, parseJson } from '../../../src/core/json.ts';
import { formatTomlValue } from '../../../src/policy-tools/format/json-to-toml.ts';
import { parseToml } from '../../../src/core/policy/toml.ts';

const sent = (text: string): JsonValue => parseJson(text);

describe('formatTomlValue', () => {
  it.each<[JsonValue, string]>([
    ['a', '"a"'],
    ['a\u202eb\u{e0041}', String.raw`"a\u202eb\U000e0041"`],
    [{ '\u200b': 1 }, String.raw`{ "\u200b" = 1 }`],
    ['a"b\\\n\u0000\u007f', String.raw`"a\"b\\\n\u0000\u007f"`],
    [true, 'true'],
    [3, '3'],
    [0.5, '0.5'],
    [sent('9007199254740993'), '9007199254740993'],
    [sent('-0'), '0'],
    [[], '[]'],
    [{}, '{}'],
    [[1, 'x', [{ a: 1 }]], '[ 1, "x", [ { a = 1 } ] ]'],
    [[{ a: 1 }], '[ { a = 1 } ]'],
    [{ 'a.b': { '': 1, 'c"d': 2 } }, String.raw`{ "a.b" = { "" = 1, "c\"d" = 2 } }`],
  ])('%j is %s', (value, text) => {
    expect(formatTomlValue(value)).toEqual({ ok: true, text });
  });

  it.each<[string, RegExp]>([
    ['null', /null/],
    ['[{"a":null}]', /null/],
    [String.raw`"\ud800"`, /surrogate/],
    [String.raw`{"\udc00":1}`, /surrogate/],
    ['9223372036854775808', /64 bits/],
    ['-9223372036854775809', /64 bits/],
    ['1e400', /exactly/],
    ['0.1000000000000000000001', /exactly/],
    [`${'['.repeat(80)}${']'.repeat(80)}`, /deep/],
  ])('TOML lacks %s', (text, reason) => {
    expect(formatTomlValue(sent(text))).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it('stays on one line and is read as it was', () => {
    // Half pairs and doubles of any size make the refusals common: a rare branch of a property is an untested one.
    const hard = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: fc.integer({ min: 0xd7fe, max: 0xdc02 }).map((unit) => String.fromCharCode(unit)) }),
    );
    const json = fc
      .oneof(fc.jsonValue({ maxDepth: 4 }), fc.array(hard, { maxLength: 2 }))
      .filter((value) => !JSON.stringify(value).includes('null'));
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        const written = formatTomlValue(sent(text));
        if (!written.ok) {
          expect(written.reason).toMatch(/surrogate|64 bits|exactly/);
          return;
        }
        expect(written.text).not.toMatch(/[\r\n]/);
        const read = parseToml(`v = ${written.text}`);
        expect(read.ok ? toJson(read.table['v']) : read).toBe(toJson(JSON.parse(text)));
      }),
    );
  });
});

/** Integers are a bigint for one and a number for the other; `-0` is `0` in TOML. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? Number(member) : member));
}
