import { describe, expect, it } from 'vitest';
import { droid } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${droid.id} makes them`, () => {
  it.each(
    checksOf(droid, {
      names: [
        ['github', 'get_issue', 'github___get_issue'],
        ['a.b', 'c', 'a_b___c'],
      ],
      native: ['Execute', 'Read'],
      headers: [{ 'user-agent': 'factory-cli/0.50.0' }],
      unmapped: [['x___y', 'x', 'y']],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});
