import { expect, it } from 'vitest';
import { instructionsDefinition } from '../../../src/core/registry/fingerprint.ts';
import { joinInstructions } from '../../../src/gate/definitions/definitions.ts';

it('two that differ are both, and the same one twice is one', () => {
  const [one, other] = [instructionsDefinition('One.'), instructionsDefinition('Other.')];
  expect(joinInstructions(undefined, one)).toBe(one);
  expect(joinInstructions(one, instructionsDefinition('One.'))).toEqual(one);
  const both = joinInstructions(one, other);
  expect([both.text.includes('One.'), both.text.includes('Other.')]).toEqual([true, true]);
});
