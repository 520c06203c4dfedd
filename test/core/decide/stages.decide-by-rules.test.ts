import { describe, expect, it } from 'vitest';

import { decideBy } from '../../support/policy.ts';

const rule = (lines: string): string => `[[rule]]\n${lines}\n`;

describe('hazard 8: the first rule in file order decides', () => {
  it.each([
    [['allow', 'deny'], 'allow'],
    [['deny', 'allow'], 'deny'],
    [['prompt', 'deny'], 'prompt'],
  ])('%j', (actions, expected) => {
    const text = actions.map((action) => rule(`action = "${action}"\ntool = "t*"`)).join('');
    expect(decideBy(text, { tool: 'tool' })).toMatchObject({ action: expected, reason: 'rule', rule: { index: 0 } });
  });

  it('whatever the rules are called and however exact they are', () => {
    const text = rule('action = "deny"\ntool = "**"\nid = "z"') + rule('action = "allow"\ntool = "read"\nid = "a"');
    expect(decideBy(text, { tool: 'read' }).rule?.id).toBe('z');
  });

  it('goes on to the next rule where arguments do not match', () => {
    const text = rule('action = "allow"\ntool = "t"\nargs.n = 1') + rule('action = "prompt"\ntool = "t"');
    expect(decideBy(text, { tool: 't', args: { n: 2 } })).toMatchObject({ action: 'prompt', rule: { index: 1 } });
  });
});

it('denies a NUL byte whatever the action of the rule that looks', () => {
  const text = rule('action = "allow"\ntool = "t"\nargs.path = "/x/**"\nid = "x"') + rule('action = "allow"\ntool = "**"');
  expect(decideBy(text, { tool: 't', args: { path: '/x/\0' } })).toMatchObject({
    action: 'deny',
    reason: 'nul_byte',
    rule: { id: 'x' },
  });
  expect(decideBy(text, { tool: 'u', args: { path: '/x/\0' } }).action).toBe('allow');
});

it('needs a prompt rule to be about prompts, a resource rule about resources', () => {
  expect(decideBy(rule('action = "deny"\nprompt = "p"'), { method: 'prompts/get', prompt: 'p' }).reason).toBe('rule');
  expect(decideBy(rule('action = "deny"\nprompt = "p"'), { tool: 'p' }).reason).toBe('default');
  expect(decideBy(rule('action = "deny"\nresource = "x://y"'), { method: 'resources/read', resource: 'x://y' }).reason).toBe(
    'rule',
  );
});
