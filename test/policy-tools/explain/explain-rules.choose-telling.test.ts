import { expect, it } from 'vitest';
import { explained } from '../../support/explained.ts';

const NEAR = '[[rule]]\naction = "deny"\ntool = "t"\nargs.a = "1"\n';
const FAR = `${NEAR}args.b = "2"\n`;
const LAST = '[[rule]]\naction = "deny"\ntool = "t"\n';

function toldIn(text: string): readonly number[] {
  const [section] = explained(text, { tool: 't', args: {} }).rules;
  return section?.rules.map(({ index }) => index) ?? [];
}

it('a few are all told of', () => {
  expect(toldIn(FAR.repeat(11) + LAST)).toHaveLength(12);
});

it('of many, the one that decides and the last that miss by one condition', () => {
  const told = toldIn(NEAR + NEAR + FAR.repeat(20) + LAST);
  expect([told.length, told[0], told[1], told.at(-1)]).toEqual([12, 0, 1, 22]);
  expect(toldIn(NEAR.repeat(40) + LAST)).toEqual(Array.from({ length: 12 }, (_, i) => 29 + i));
});

it('without one that decides, the last is told of too', () => {
  expect(toldIn(NEAR.repeat(40)).at(-1)).toBe(39);
});
