import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('suppresses-everything', () => {
  testLint('suppresses-everything', {
    hit: ['[[detection.suppress]]; server = "*"; rule = "**"; reason = "noise"'],
    miss: [
      '[[detection.suppress]]; server = "files"; rule = "**"; reason = "noise"',
      '[[detection.suppress]]; server = "*"; rule = "obfuscation.*"; reason = "noise"',
    ],
  });
});
