import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../src/core/detect/fields-of.ts';

describe('fieldsOf', () => {
  it('has every text with its place, and names as words', () => {
    const value = { name: 'a', description: 'B', inputSchema: { properties: { readKey: { enum: ['c'] } } } };
    expect(fieldsOf(value)).toEqual([
      { field: 'description', text: 'B', isName: false, isOdd: false },
      { field: 'inputSchema.properties.readKey', text: 'read Key', isName: true, isOdd: false },
      { field: 'inputSchema.properties.readKey.enum[0]', text: 'c', isName: false, isOdd: true },
    ]);
  });

  it('a text alone is one field; numbers and nothing are none', () => {
    expect(fieldsOf('a')).toEqual([{ field: 'text', text: 'a', isName: false, isOdd: false }]);
    expect(fieldsOf([1, null, true])).toEqual([]);
  });
});
