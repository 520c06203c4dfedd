import { expect, it } from 'vitest';
import { refineByDefinition } from '../../../../src/core/registry/classify/refine-by-definition.ts';
import type { Category } from '../../../../src/core/registry/category.ts';

const refined = (
  found: readonly Category[],
  definition: Parameters<typeof refineByDefinition>[1],
  isPinned: boolean,
): Category[] => {
  const categories = new Set(found);
  refineByDefinition(categories, definition, { name: 'tool', isPinned });
  return [...categories];
};

it('only adds, whoever pinned the definition', () => {
  const definition = { annotations: { readOnlyHint: true, openWorldHint: false }, inputSchema: { properties: { url: {} } } };
  expect(refined(['write'], definition, false)).toEqual(['write', 'send']);
  expect(refined(['write'], definition, true)).toEqual(['write', 'send']);
});

it('says that it has not seen all where there are more parameters than anyone has', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, {}]));
  expect(refined(['read'], { inputSchema: { properties: { ...many, url: {} } } }, false)).toEqual(['read', 'unknown']);
  expect(refined(['read'], { inputSchema: { properties: { url: {}, ...many } } }, false)).toEqual(['read', 'send', 'unknown']);
  expect(refined([], { annotations: { readOnlyHint: true }, inputSchema: { properties: many } }, true)).toEqual(['unknown']);
});
