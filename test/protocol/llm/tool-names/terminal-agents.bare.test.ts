import { describe, expect, it } from 'vitest';
import { bare } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${bare.id} makes them`, () => {
  it.each(
    checksOf(bare, {
      names: [
        ['files', 'read', 'read'],
        ['files', 'mcp__read__it', 'mcp__read__it'],
      ],
      native: ['anything'],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});
