import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('denied-server', () => {
  it.each([
    '[server_policy]; policy = "denylist"; deny = ["x*"]\nallow; tool = "a"; server = "xy"',
    '[server_policy]; policy = "allowlist"; allow = ["files"]\nallow; tool = "a"; server = "mail"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('denied-server', lines)).not.toEqual([]);
  });

  it.each([
    '[server_policy]; policy = "denylist"; deny = ["x*"]\nallow; tool = "a"; server = ["xy", "y"]',
    '[server_policy]; policy = "allowlist"; allow = ["files"]\ndeny; tool = "Bash"; server = "native"',
    'allow; tool = "a"; server = "mail"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('denied-server', lines)).toEqual([]);
  });
});
