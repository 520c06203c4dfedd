import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import type { Span } from '../../../src/protocol/message.ts';
import { elementSpans, memberSpans } from '../../../src/gate/definitions/hide-definitions.ts';

const scanner = new JsonScanner();

/** Text that the spans lie in: what is around them must not matter. */
function within(json: string): { readonly bytes: Buffer; readonly span: Span } {
  const bytes = Buffer.from(`[${json},1]`);
  return { bytes, span: { start: 1, end: bytes.length - 3 } };
}

function members(json: string): Record<string, string> | undefined {
  const { bytes, span } = within(json);
  const found = memberSpans(scanner, bytes, span);
  return found && Object.fromEntries([...found].map(([name, { start, end }]) => [name, bytes.toString('utf8', start, end)]));
}

function elements(json: string): readonly string[] | undefined {
  const { bytes, span } = within(json);
  return elementSpans(scanner, bytes, span)?.map(({ start, end }) => bytes.toString('utf8', start, end));
}

/** White space that the scanner knows. */
const space = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 3 });
const scalar = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc.constantFrom('9007199254740993', '1e400', '-0', '1.0', 'true', 'null', '"}]\\""', '"a,b"', '"\\u0074ools"'),
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.tuple(fc.array(tie('json'), { maxLength: 3 }), space).map(([all, gap]) => `[${gap}${all.join(`${gap},${gap}`)}${gap}]`),
    fc
      .tuple(fc.array(fc.tuple(fc.string(), tie('json')), { maxLength: 3 }), space)
      .map(([all, gap]) => `{${gap}${all.map(([key, value]) => `${JSON.stringify(key)}${gap}:${gap}${value}`).join(`${gap},`)}}`),
  ),
}));

describe('memberSpans', () => {
  it.each([
    ['{}', {}],
    ['{ \t}', {}],
    [' \t{ "a" :\t1 , "b": [ 1, 2 ] }', { a: '1', b: '[ 1, 2 ]' }],
    ['{"too\\u006cs":[1],"x":{"tools":[2]}}', { tools: '[1]', x: '{"tools":[2]}' }],
    ['{"a":9007199254740993,"b":1e400}', { a: '9007199254740993', b: '1e400' }],
    ['{"__proto__":1}', { ['__proto__']: '1' }],
    ['{"a":"}\\",\\"b\\":2"}', { a: '"}\\",\\"b\\":2"' }],
  ])('finds the members of %s', (text, expected) => {
    expect(Object.entries(members(text) ?? {})).toEqual(Object.entries(expected));
  });

  it.each(['[]', '1', '"{}"', 'null'])('finds no object in %s', (text) => {
    expect(members(text)).toBeUndefined();
  });

  it('finds what a parser does, in bytes that stay as they are', () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string(), json, space), { selector: ([key]) => key, maxLength: 6 });
    fc.assert(
      fc.property(entries, (all) => {
        const text = `{${all.map(([key, value, gap]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${value}${gap}`).join(',')}}`;
        const found = members(text) ?? {};
        expect(new Map(Object.entries(found))).toEqual(new Map(all.map(([key, value]) => [key, value])));
      }),
    );
  });
});

describe('elementSpans', () => {
  it.each([
    ['[]', []],
    ['[ \t ]', []],
    [' [ 1 ,\t{"a":[2]} ,"],["]', ['1', '{"a":[2]}', '"],["']],
  ])('finds the elements of %s', (text, expected) => {
    expect(elements(text)).toEqual(expected);
  });

  it.each(['{}', '1', '"[]"'])('finds no array in %s', (text) => {
    expect(elements(text)).toBeUndefined();
  });

  it('finds what a parser does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(json, space), { maxLength: 6 }), (all) => {
        expect(elements(`[${all.map(([value, gap]) => `${gap}${value}${gap}`).join(',')}]`)).toEqual(all.map(([value]) => value));
      }),
    );
  });
});
