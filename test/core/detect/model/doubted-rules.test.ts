import { expect, it } from 'vitest';
import { DOUBTED_RULES } from '../../../../src/core/detect/model/doubted-rules.ts';
import { RULES } from '../../../../src/core/detect/rules/rules.ts';

it('rules that are doubted exist', () => {
  const known = RULES.map(({ id }) => id);
  expect(known).toEqual(expect.arrayContaining([...DOUBTED_RULES.definition, ...DOUBTED_RULES.text]));
});
