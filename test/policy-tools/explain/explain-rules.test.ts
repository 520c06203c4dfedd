import { describe, expect, it } from 'vitest';
import { explained } from '../../support/explained.ts';

describe('which rules are told of', () => {
  const rule = (id: string, lines: string, action = 'deny'): string => `[[rule]]\nid = "${id}"\naction = "${action}"\n${lines}\n`;
  const POLICY = [
    rule('other-tool', 'tool = "u"'),
    rule('other-server', 'tool = "t"\nserver = "x"'),
    rule('misses', 'tool = "t"\nargs.p = "x"'),
    rule('decides', 'tool = "t"'),
    rule('below', 'tool = "*"'),
    rule('prompts', 'prompt = "t"'),
  ].join('');

  it('those that were asked; the others are counted by what they are about', () => {
    const [section] = explained(POLICY, { tool: 't' }).rules;
    expect(section?.rules.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['misses', 'miss'],
      ['decides', 'match'],
    ]);
    expect(section).toMatchObject({ total: 6, missed: 0, unasked: 1, elsewhere: { tool: 1, server: 1, method: 1 } });
  });

  it('all of them, where that is wanted', () => {
    const [section] = explained(POLICY, { tool: 't' }, { isAll: true }).rules;
    expect(section?.rules.map(({ id, isUnasked, elsewhere, outcome }) => [id, isUnasked, elsewhere, outcome])).toEqual([
      ['other-tool', true, 'tool', 'miss'],
      ['other-server', true, 'server', 'miss'],
      ['misses', false, undefined, 'miss'],
      ['decides', false, undefined, 'match'],
      ['below', true, undefined, 'match'],
      ['prompts', true, 'method', 'miss'],
    ]);
  });

  it('an agent’s own tools are the business of rules that name them', () => {
    const [section] = explained(POLICY + rule('own', 'server = "native"\ntool = "t"'), {
      tool: 't',
      server: 'native',
      origin: 'native',
    }).rules;
    expect(section?.rules.map(({ id }) => id)).toEqual(['own']);
    expect(section?.elsewhere).toEqual({ native: 6 });
  });

  it('a rule whose name is nearly the call’s, where all else matches', () => {
    const text =
      rule('typo', 'tool = "read_fille"\nargs.p = "x"', 'allow') +
      rule('far', 'tool = "write_it"') +
      rule('late', 'tool = "read_files"\nargs.p = "y"');
    const [section] = explained(text, { tool: 'read_file', args: { p: 'x' } }).rules;
    expect(section?.rules.map(({ id, nearName, elsewhere }) => [id, nearName, elsewhere])).toEqual([
      ['typo', 'read_fille', 'tool'],
    ]);
    expect(section?.elsewhere).toEqual({ tool: 2 });
    expect(explained(rule('typo', 'tool = "read_fille"\nargs.p = "x"'), { tool: 'read_file' }).rules[0]?.rules).toEqual([]);
  });

  it('of many, the one that decides and those that miss by one condition', () => {
    const far = Array.from({ length: 50 }, (_, i) => rule(`far${i}`, 'tool = "t"\nargs.a = "1"\nargs.b = "2"')).join('');
    const [section] = explained(rule('near', 'tool = "t"\nargs.c = "x"') + far + rule('last', 'tool = "t"'), { tool: 't' }).rules;
    const ids = section?.rules.map(({ id }) => id) ?? [];
    expect([ids[0], ids.at(-1), ids.length, section?.missed]).toEqual(['near', 'last', 12, 40]);
  });

  it('those about what a call amounts to, too', () => {
    const call = {
      method: 'resources/subscribe',
      resource: 'x://y',
      like: { method: 'resources/read', server: 'files', resource: 'x://y' },
    };
    const { rules, decision } = explained(rule('read', 'resource = "x://**"'), call);
    expect(rules.map(({ isLike, decision: by }) => [isLike, by?.rule?.id])).toEqual([
      [false, undefined],
      [true, 'read'],
    ]);
    expect(decision.rule?.id).toBe('read');
    const both = explained(rule('no', 'resource = "x://**"') + rule('yes', 'method = "**"', 'allow'), call);
    expect(both.rules.map(({ isLike, decision: by }) => [isLike, by?.rule?.id])).toEqual([
      [false, 'yes'],
      [true, 'no'],
    ]);
    expect(both.decision.rule?.id).toBe('no');
  });

  it('those of a project, by themselves; not asked where the user’s deny', () => {
    const project = rule('theirs', 'tool = "t"', 'prompt');
    const told = (text: string): readonly unknown[] =>
      explained(text, { tool: 't' }, { project }).rules.map(({ source, isSkipped, decision }) => [
        source,
        isSkipped,
        decision?.action,
      ]);
    expect(told(rule('mine', 'tool = "t"', 'allow'))).toEqual([
      ['user', false, 'allow'],
      ['project', false, 'prompt'],
    ]);
    expect(told('')).toEqual([
      ['user', false, undefined],
      ['project', true, 'prompt'],
    ]);
  });
});
