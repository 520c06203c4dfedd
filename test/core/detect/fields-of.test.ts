import { describe, expect, it } from 'vitest';
import { fieldsOf, MOST_FIELDS } from '../../../src/core/detect/fields-of.ts';
import type { JsonValue } from '../../../src/core/json.ts';

describe('fieldsOf', () => {
  it('has every text with its place, and names as words', () => {
    const value = { name: 'a', description: 'B', inputSchema: { properties: { readKey: { enum: ['c'] } } } };
    expect(fieldsOf(value)).toEqual([
      { field: 'description', text: 'B', isName: false, isOdd: false },
      { field: 'inputSchema.properties.readKey', text: 'read Key', isName: true, isOdd: false },
      { field: 'inputSchema.properties.readKey.enum[0]', text: 'c', isName: false, isOdd: true },
    ]);
  });

  it.each([
    ['read_file', []],
    ['Read a file', ['Read a file']],
    ['read\nfile', ['read\nfile']],
  ])('a name is a text where it may be a sentence: %j', (name, texts) => {
    expect(fieldsOf({ name }).map(({ text }) => text)).toEqual(texts);
  });

  it.each<[value: JsonValue, odd: readonly boolean[]]>([
    [{ inputSchema: { properties: { a: { description: 'x' } } } }, [false, false]],
    [{ inputSchema: { properties: { a: { default: 'x' } } } }, [false, true]],
    [{ inputSchema: { required: ['x'] } }, [true]],
    [{ inputSchema: { type: ['x'] } }, [true]],
    [{ inputSchema: { properties: { a: { examples: [{ description: 'x' }] } } } }, [false, true]],
    [{ annotations: { title: 'x', other: 'y' } }, [false, false, false]],
    [{ outputSchema: [{ default: 'x' }] }, [false]],
  ])('texts of %j stand where none should: %j', (value, odd) => {
    expect(fieldsOf(value).map(({ isOdd }) => isOdd)).toEqual(odd);
  });

  it('has as many elements as a list may have', () => {
    expect(fieldsOf({ enum: Array.from({ length: 300_000 }, (_, i) => i) })).toEqual([]);
    expect(fieldsOf({ enum: Array.from({ length: 300_000 }, () => 'x') })).toHaveLength(MOST_FIELDS);
  });

  it('a text alone is one field; numbers and nothing are none', () => {
    expect(fieldsOf('a')).toEqual([{ field: 'text', text: 'a', isName: false, isOdd: false }]);
    expect(fieldsOf([1, null, true])).toEqual([]);
  });
});
