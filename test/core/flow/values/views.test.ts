import { describe, expect, it } from 'vitest';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../../src/core/json.ts';
import { MOST_LOOKED_AT, viewsOf } from '../../../../src/core/flow/values/views.ts';

describe('viewsOf', () => {
  it('has strings and numbers of any depth, keys, and the values of JSON in strings', () => {
    const args = {
      first: 'Some Text',
      list: [{ 'a long key': 12.5 }, new ExactNumber('12345678901234567890'), true, null],
      json: '{"inner":"value one"}',
    };
    expect(viewsOf(args)).toEqual([
      { text: 'some text\n12.5\n12345678901234567890\n{"inner":"value one"}', encoding: 'plain' },
      { text: 'first\nlist\na long key\njson', encoding: 'plain' },
      { text: 'value one', encoding: 'plain' },
    ]);
  });

  it('has what is decoded, from the outside in, and no deeper than two', () => {
    const encode = (text: string): string => Buffer.from(text).toString('base64');
    const texts = (text: string): readonly string[] =>
      viewsOf({ text })
        .filter((view) => view.text.includes('the quick brown fox'))
        .map(({ encoding }) => encoding);
    expect(texts(encode('the quick brown fox'))).toEqual(['base64']);
    expect(texts(encodeURIComponent(encode('the quick brown fox...')))).toContain('base64');
    expect(texts(encode(Buffer.from('the quick brown fox').toString('hex')))).toEqual(['base64, hex']);
    expect(texts(encode(encode(encode('the quick brown fox'))))).toEqual([]);
  });

  it.each<[string, JsonObject | undefined]>([
    ['nothing', undefined],
    ['little', { a: 'b', c: [1, false] }],
  ])('has nothing of %s', (_name, args) => {
    expect(viewsOf(args)).toEqual([]);
  });

  it('is bounded, however long and deep the arguments are', () => {
    let deep: JsonValue = 'at the bottom';
    for (let depth = 0; depth < 5000; depth += 1) deep = [deep];
    const views = viewsOf({ text: '%4a'.repeat(MOST_LOOKED_AT), deep });
    const size = views.reduce((sum, { text }) => sum + text.length, 0);
    expect(views[0]?.text.length).toBeLessThanOrEqual(MOST_LOOKED_AT);
    expect(size).toBeLessThan(8 * MOST_LOOKED_AT);
  });
});
