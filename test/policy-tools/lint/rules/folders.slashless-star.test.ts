import { describe, expect, it } from 'vitest';

import { decideBy } from '../../../support/policy.ts';
import { lintsOf, policyText } from '../../../support/lints-of.ts';

describe('slashless-star', () => {
  it.each([
    'deny; tool = "run"; args.command = "rm *"',
    'prompt; tool = "run"; args.command = ["sudo **", "*sudo*"]; description = "d"',
    'deny; tool = "fetch"; args."/a/url" = "*evil*"',
    'deny; tool = "run"; args."**" = "rm *"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('slashless-star', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = "run"; args.command = "rm **"',
    'deny; tool = "run"; args.command = ["rm *", "rm **"]',
    'deny; tool = "set"; args.key = "session:*"',
    'deny; tool = "run"; args.command = { not = "git *" }',
    'allow; tool = "run"; server = "s"; args.command = "git *"',
    'deny; tool = "run"; args.command = "rm"; unless.args.command = "rm *"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('slashless-star', lines)).toEqual([]);
  });

  it.each([
    ['rm *', 'rm a/b', 'allow'],
    ['*evil*', 'a/bevila/b', 'allow'],
    ['rm **', 'rm a/b', 'deny'],
  ])('%s decides %s: %s', (pattern, command, action) => {
    const text = `[defaults]\naction = "allow"\n${policyText(`deny; tool = "run"; args.command = "${pattern}"`)}`;
    expect(decideBy(text, { tool: 'run', args: { command } }).action).toBe(action);
  });
});
