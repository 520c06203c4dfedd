import { describe, expect, it } from 'vitest';
import { decideBy } from '../../support/policy.ts';

const native = (lines: string, defaults = ''): string => {
  const { action, rule } = decideBy(`${defaults}[[rule]]\naction = "deny"\ntool = "Bash"\n${lines}`, {
    server: 'native',
    origin: 'native',
    tool: 'Bash',
  });
  return `${action}${rule === undefined ? '' : ' by the rule'}`;
};

describe("rules about the agent's own tools", () => {
  it.each([
    ['server = "native"', 'deny by the rule'],
    ['server = ["files", "native"]', 'deny by the rule'],
    ['server = { equals = "native" }', 'deny by the rule'],
    ['', 'allow'],
    ['server = "*"', 'allow'],
    ['server = "**"', 'allow'],
    ['server = "nativ?"', 'allow'],
    ['server = "native*"', 'allow'],
    ['server = { not = "files" }', 'allow'],
    ['server = { regex = "^native$" }', 'allow'],
    ['server = "Native"', 'allow'],
    ['server = "native"\nargs.command = "rm*"', 'allow'],
  ])('%j: %s', (lines, expected) => {
    expect(native(lines)).toBe(expected);
  });

  it('what none is about is for defaults.native, whatever defaults.action is', () => {
    expect(native('', '[defaults]\naction = "deny"\n')).toBe('allow');
    expect(native('', '[defaults]\naction = "allow"\nnative = "deny"\n')).toBe('deny');
  });

  it('a project says something of them by name too', () => {
    const text = '[[rule]]\naction = "allow"\nserver = "native"\ntool = "Read"';
    expect(decideBy(`[defaults]\nnative = "deny"\n${text}`, { server: 'native', origin: 'native', tool: 'Read' }).action).toBe(
      'allow',
    );
  });
});

describe('a server that is called "native"', () => {
  it('is denied, since rules could not tell it from the agent itself', () => {
    const text = '[defaults]\naction = "allow"\n[[rule]]\naction = "allow"\nserver = "native"\ntool = "**"';
    expect(decideBy(text, { server: 'native', tool: 'Bash' })).toMatchObject({ action: 'deny', reason: 'server_policy' });
    expect(decideBy(text, { server: 'native', tool: 'Bash', origin: 'unmapped' })).toMatchObject({ action: 'deny' });
    expect(decideBy(text, { server: 'native', tool: 'Bash', origin: 'native' })).toMatchObject({
      action: 'allow',
      reason: 'rule',
    });
    expect(decideBy(text, { server: 'native', method: 'initialize' }).action).toBe('allow');
  });

  it('no list of servers is about the agent itself', () => {
    const text = '[server_policy]\npolicy = "allowlist"\nallow = ["files"]';
    expect(decideBy(text, { server: 'native', tool: 'Bash', origin: 'native' }).action).toBe('allow');
  });
});

describe('hazard 32: a name that looks like an MCP tool and belongs to no known server', () => {
  const allowed = '[defaults]\naction = "allow"\n[[rule]]\naction = "allow"\nserver = "github"\ntool = "**"\n';
  const call = { server: 'github', tool: 'get_issue', origin: 'unmapped' } as const;

  it('is denied, whatever a rule or the default says', () => {
    expect(decideBy(allowed, call)).toMatchObject({ action: 'deny', reason: 'unmapped_tool' });
    expect(decideBy('[defaults]\nunmapped_tool = "deny"\naction = "allow"', call).reason).toBe('unmapped_tool');
  });

  it('unmapped_tool = "allow" leaves it to the rules, and what none is about passes', () => {
    const open = '[defaults]\nunmapped_tool = "allow"\naction = "deny"\n';
    expect(decideBy(open, call)).toMatchObject({ action: 'allow', reason: 'default' });
    expect(decideBy(`${open}[[rule]]\naction = "deny"\nserver = "git*"\ntool = "**"`, call)).toMatchObject({
      action: 'deny',
      reason: 'rule',
    });
  });
});
