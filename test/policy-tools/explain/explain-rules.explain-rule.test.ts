import { expect, it } from 'vitest';
import { explained, onlyRule } from '../../support/explained.ts';

it('what it is called and what it says', () => {
  const rule = onlyRule('deny', 'id = "keys"\ndescription = "Keys"\ntool = "t"', { tool: 't' });
  expect(rule).toMatchObject({ index: 0, id: 'keys', action: 'deny', description: 'Keys', outcome: 'match', isUnasked: false });
});

it('what a rule would have said that was not asked', () => {
  const text = ['', 'args.p = "x"', 'args.p = "/y/**"']
    .map((line) => `[[rule]]\naction = "deny"\ntool = "t"\n${line}\n`)
    .join('');
  const [section] = explained(text, { tool: 't', args: { p: '\0' } }, { isAll: true }).rules;
  expect(section?.rules.map(({ isUnasked, outcome }) => [isUnasked, outcome])).toEqual([
    [false, 'match'],
    [true, 'miss'],
    [true, 'nul'],
  ]);
});

it('an exception counts as a rule of its conditions would', () => {
  const of = (unless: string): unknown =>
    onlyRule('allow', `tool = "t"\nunless = { ${unless} }`, { tool: 't', args: { p: ['a', 'b'] } }).unless?.outcome;
  // What an allow rule takes back, any reading takes back.
  expect([of('args.p = "a"'), of('args.p = "c"'), of('tool = "u"')]).toEqual(['match', 'miss', 'miss']);
});
