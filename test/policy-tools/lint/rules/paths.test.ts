import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('variable-in-path', () => {
  it.each([
    'deny; tool = "a"; args.path = "$HOME/.ssh/**"',
    'deny; tool = "a"; args."**" = "${HOME}/.ssh/**"',
    'deny; tool = "a"; args.path = "%USERPROFILE%/.ssh/**"',
    'allow; tool = "a"; args.path = "$HOME/work/**"',
    'deny; tool = "a"; args.path = "$(pwd)/**"',
    'deny; resource = "file://$HOME/**"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('variable-in-path', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = "a"; args.path = ["$HOME/.ssh/**", "~/.ssh/**"]',
    'deny; tool = "run"; args.command = "$HOME/bin/x"',
    'deny; tool = "a"; args.path = "~/.ssh/**"',
    'deny; tool = "a"; args.path = "/srv/$x/**"',
    'deny; tool = "a"; args.path = "%2e%2e/x"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('variable-in-path', lines)).toEqual([]);
  });
});
