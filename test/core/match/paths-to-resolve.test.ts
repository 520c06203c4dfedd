import { describe, expect, it } from 'vitest';

import type { Call } from '../../../src/core/call.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { MOST_PATHS, pathsToResolve, type PathContext } from '../../../src/core/match/paths-to-resolve.ts';
import { Reading } from '../../../src/core/match/reading.ts';
import { POSIX, policyFrom } from '../../support/policy.ts';

function wanted(lines: string, call: Partial<Call>, paths: PathContext = POSIX): string[] {
  const policy = compilePolicy(policyFrom(lines));
  const found = pathsToResolve(policy, { method: 'tools/call', server: 's', tool: 't', ...call }, new Reading(paths));
  if (found === undefined) throw new Error('too many');
  return [...found].toSorted();
}

const rule = (lines: string): string => `[[rule]]\naction = "deny"\n${lines}\n`;

describe('pathsToResolve', () => {
  it('names what the arguments say and where the patterns begin', () => {
    const args = { path: '../a', other: '/x' };
    expect(wanted(rule('tool = "t"\nargs.path = "~/.ssh/**"'), { args })).toEqual([
      '/home/user/.ssh',
      '/home/user/a',
      '/home/user/project/../a',
    ]);
  });

  it('names every reading', () => {
    expect(wanted(rule('tool = "t"\nargs.path = "**/x/**"'), { args: { path: '%2Fa' } })).toEqual([
      '/a',
      '/home/user/project/%2Fa',
    ]);
  });

  it.each([
    ['no rule is about paths', rule('tool = "t"\nargs.path = "x*"')],
    ['the rule is about another tool', rule('tool = "u"\nargs.path = "/x/**"')],
    ['the argument is not there', rule('tool = "t"\nargs.file = "/x/**"')],
    ['a rule above decides', rule('tool = "t"') + rule('tool = "t"\nargs.path = "/x/**"')],
  ])('is empty when %s', (_, lines) => {
    expect(wanted(lines, { args: { path: '/x/y' } })).toEqual([]);
  });

  it('is empty for a server elsewhere', () => {
    expect(wanted(rule('tool = "t"\nargs.path = "/x/**"'), { args: { path: '/x/y' } }, { ...POSIX, remote: true })).toEqual([]);
  });

  it('looks into exceptions and URIs', () => {
    expect(wanted(rule('tool = "t"\nunless.args.path = "/x/**"'), { args: { path: '/a' } })).toEqual(['/a', '/x']);
    const call = { method: 'resources/read', resource: 'file:///a' };
    expect(wanted(rule('resource = "file:///x/**"'), call)).toEqual(['/a', '/home/user/project/file:/a', '/x']);
  });

  it('takes keys that may be paths, and no plain names', () => {
    expect(wanted(rule('tool = "t"\nargs."**" = "**/x/**"'), { args: { name: 1, '/k': 2 } })).toEqual(['/k']);
  });

  it.each([true, false])('stops where there are too many (remote: %j)', (remote) => {
    const args = { path: Array.from({ length: MOST_PATHS + 1 }, (_, i) => `~${i}/..`) };
    expect(() => wanted(rule('tool = "t"\nargs.path = "/x/**"'), { args }, { ...POSIX, remote })).toThrow('too many');
  });

  it('leaves out what no file system takes', () => {
    const args = { path: ['/a\0', `/${'a'.repeat(70_000)}`] };
    expect(wanted(rule('tool = "t"\nargs.path = "/x/**"'), { args })).toEqual([]);
  });
});
