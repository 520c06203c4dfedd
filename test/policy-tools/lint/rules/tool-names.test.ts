import { describe, expect, it } from 'vitest';

import { decideBy } from '../../../support/policy.ts';
import { lintsOf, policyText } from '../../../support/lints-of.ts';

describe('native-tool', () => {
  it.each(['deny; tool = "Bash"', 'prompt; tool = ["run", "WebFetch"]; description = "d"'])('finds something in: %s', (lines) => {
    expect(lintsOf('native-tool', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = "Bash"; server = "native"',
    'deny; tool = "Bash"; server = "shell"',
    'deny; tool = "bash"',
    'deny; tool = "run"; unless.tool = "Bash"',
    'allow; tool = "Read"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('native-tool', lines)).toEqual([]);
  });

  it('says what is so', () => {
    const call = { tool: 'Bash', server: 'native', origin: 'native' } as const;
    expect(decideBy(policyText('deny; tool = "Bash"'), call).action).toBe('allow');
    expect(decideBy(policyText('deny; tool = "Bash"; server = "native"'), call).action).toBe('deny');
  });
});
