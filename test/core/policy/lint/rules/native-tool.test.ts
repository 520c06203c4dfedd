import { describe, expect, it } from 'vitest';

import { decideBy } from '../../../../support/policy.ts';
import { policyText, testLint } from '../lint-tester.ts';

describe('native-tool', () => {
  testLint('native-tool', {
    hit: ['deny; tool = "Bash"', 'prompt; tool = ["run", "WebFetch"]; description = "d"'],
    miss: [
      'deny; tool = "Bash"; server = "native"',
      'deny; tool = "Bash"; server = "shell"',
      'deny; tool = "bash"',
      'deny; tool = "run"; unless.tool = "Bash"',
      'allow; tool = "Read"',
    ],
  });

  it('says what is so', () => {
    const call = { tool: 'Bash', server: 'native', origin: 'native' } as const;
    expect(decideBy(policyText('deny; tool = "Bash"'), call).action).toBe('allow');
    expect(decideBy(policyText('deny; tool = "Bash"; server = "native"'), call).action).toBe('deny');
  });
});
