import { expect, it } from 'vitest';
import { isNativeName } from '../../../../src/protocol/llm/tool-names/client-style.ts';
import { bare, goose } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';

it('the own tools of an agent are told by name, or by what their names begin with', () => {
  expect(['shell', 'developer__shell', 'developer', 'x__developer__y'].map((name) => isNativeName(goose, name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isNativeName(bare, 'shell')).toBe(false);
});
