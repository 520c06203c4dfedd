import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('unknown-method', () => {
  testLint('unknown-method', {
    hit: ['deny; method = "tool/call"', 'deny; method = "sampling/createMesage"'],
    miss: [
      'deny; method = "tools/call"',
      'deny; method = "tools/*"',
      'deny; method = "logging/setLevel"',
      'deny; method = "resources/list"',
      'deny; method = "prompts/list"',
    ],
  });
});
