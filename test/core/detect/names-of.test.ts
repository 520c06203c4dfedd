import { describe, expect, it } from 'vitest';
import { namesFor, namesOf } from '../../../src/core/detect/names-of.ts';

const NAMES = namesOf({
  server: 'a',
  tools: ['list_items', 'search'],
  others: new Map([['b', ['list_items', 'payBill', 'get']]]),
});

describe('names of tools', () => {
  it.each([
    ['list_items', 'sibling'],
    ['paybill', 'foreign'],
    ['search', undefined],
    ['get', undefined],
  ])('%s: %s', (word, whose) => {
    expect(NAMES.get(word)).toBe(whose);
  });

  it('for a definition its own name and its parameters are known', () => {
    const names = namesFor(NAMES, 'list_items', { inputSchema: { properties: { item_id: {}, id: {} } } });
    expect(['list_items', 'item_id', 'id', 'paybill'].map((word) => names.get(word))).toEqual([
      'own',
      'parameter',
      undefined,
      'foreign',
    ]);
  });
});
