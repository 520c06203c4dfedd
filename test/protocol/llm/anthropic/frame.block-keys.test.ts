import { expect, it } from 'vitest';
import { BLOCK_KEYS } from '../../../../src/protocol/llm/anthropic/frame.ts';
import { hasVariantKey } from '../../../../src/protocol/llm/json-object.ts';

it.each(['Type', 'ID', 'Name', 'Input', 'Toolset_Name', 'Server_name', 'tool_use_ID', 'Stop_Reason'])(
  'has what %s is a variant of',
  (key) => {
    expect(hasVariantKey({ [key]: 1 }, BLOCK_KEYS)).toBe(true);
    expect(hasVariantKey({ [key.toLowerCase()]: 1 }, BLOCK_KEYS)).toBe(false);
  },
);
