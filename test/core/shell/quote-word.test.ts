import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { quoteWord } from '../../../src/core/shell/quote-word.ts';

describe('quoteWord', () => {
  it.each(['docs', 'my docs', '', "it's", '$(id)', '`id`', 'a;b', 'a\nb', '"', '\\', '*', 'é', '%n', '!x'])(
    '%j stays one word',
    (word) => {
      expect(execFileSync('sh', ['-c', `printf %s ${quoteWord(word)}`]).toString()).toBe(word);
    },
  );

  it('leaves plain words as they are', () => {
    expect(['docs', 'a-b_c.d/e', 'k=v'].map(quoteWord)).toEqual(['docs', 'a-b_c.d/e', 'k=v']);
  });
});
