import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('nobody-asked', () => {
  testLint('nobody-asked', {
    hit: ['[approval]; channels = []\nprompt; tool = "a"', '[approval]; channels = []\n[defaults]; action = "prompt"'],
    miss: ['[approval]; channels = []\ndeny; tool = "a"', 'prompt; tool = "a"'],
  });
});
