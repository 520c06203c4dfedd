import { expect, it } from 'vitest';
import { bare } from '../../../../src/protocol/llm/tool-names/bare.ts';
import { isNativeName } from '../../../../src/protocol/llm/tool-names/client-style.ts';
import { goose } from '../../../../src/protocol/llm/tool-names/goose.ts';

it('the own tools of an agent are told by name, or by what their names begin with', () => {
  expect(['shell', 'developer__shell', 'developer', 'x__developer__y'].map((name) => isNativeName(goose, name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isNativeName(bare, 'shell')).toBe(false);
});
