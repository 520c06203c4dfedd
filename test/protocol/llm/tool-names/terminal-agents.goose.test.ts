import { describe, expect, it } from 'vitest';
import { goose } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${goose.id} makes them`, () => {
  it.each(
    checksOf(goose, {
      names: [
        ['My Files', 'read', 'myfiles__read'],
        ['a.b', 'c.d', 'a_b__c.d'],
      ],
      native: ['developer__shell', 'shell'],
      headers: [{ 'user-agent': 'goose/1.20.0' }],
      unmapped: [['x__y', 'x', 'y']],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});
