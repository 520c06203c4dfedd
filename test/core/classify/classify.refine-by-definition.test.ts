import { expect, it } from 'vitest';
import { refineByDefinition } from '../../../src/core/classify/classify.ts';
import type { Category } from '../../../src/core/call.ts';

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

it('the first sentence of a description may say that a tool runs commands, and a parameter of its own, but none of a part of one', () => {
  const command = { type: 'object', properties: { command: {} } };
  expect(refined([], { description: 'Runs a shell script. Really.' }, false)).toEqual(['write', 'compute', 'execute']);
  expect(refined(['read'], { description: 'Gives an answer. Runs a shell script.' }, false)).toEqual(['read']);
  expect(refined(['read'], { inputSchema: command }, false)).toContain('execute');
  expect(refined(['read'], { inputSchema: { allOf: [command] } }, false)).toContain('execute');
  expect(refined(['read'], { inputSchema: { properties: { options: command } } }, false)).not.toContain('execute');
});
