import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBeginning } from '../../../src/transport/llm/parse-beginning.ts';

describe('the beginning of a JSON text', () => {
  it.each([
    ['{"a":1,"b":[1,2', { a: 1, b: [1] }],
    ['{"a":{"b":"x"},"c"', { a: { b: 'x' } }],
    ['{"a":{"b":"x"},"c":', { a: { b: 'x' } }],
    ['[{"a":"}],"},', [{ a: '}],' }]],
    ['{"a":"short', {}],
    [' {"a":true}', { a: true }],
    ['{"a":"a long string', { a: 'a long string' }],
    [String.raw`{"a":"a long strin\"g\\`, { a: 'a long strin"g' }],
    [String.raw`{"a":"a long string\u00`, { a: 'a long string' }],
    ['{"a long string that is a name', {}],
  ])('%s', (text, value) => {
    expect(parseBeginning(text, 10)).toEqual(value);
  });

  it.each(['', 'Bad gateway', '"x', 'a,b'])('is not %j', (text) => {
    expect(parseBeginning(text, 10)).toBeUndefined();
  });

  it('is one wherever an object is cut, and has nothing that is not in it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (written, place) => {
        const text = JSON.stringify(written);
        const value = JSON.parse(text) as object;
        const cut = Object.entries(parseBeginning(text.slice(0, 1 + (place % text.length)), 1000) ?? ['none']);
        const names = Object.keys(value).slice(0, cut.length);
        expect(cut.map(([name]) => name)).toEqual(names);
        // The last one may be cut itself.
        expect(cut.slice(0, -1)).toEqual(Object.entries(value).slice(0, Math.max(0, cut.length - 1)));
      }),
    );
  });
});
