import { describe, expect, it } from 'vitest';
import { formatExcerpt } from '../../src/cli/excerpt.ts';

describe('formatExcerpt', () => {
  it('puts a caret below the column', () => {
    expect(formatExcerpt('a\nacton = "x"\n', 2, 3)).toBe('2 | acton = "x"\n  |   ^\n');
  });

  it('keeps the caret in place behind tabs, and lets nothing steer the terminal', () => {
    expect(formatExcerpt('\t\u001b[31mx\r\n', 1, 2)).toBe('1 |   [31mx\n  |  ^\n');
  });

  it('cuts a long line around the column', () => {
    const [shown = '', caret = ''] = formatExcerpt(`${'a'.repeat(500)}X${'b'.repeat(500)}`, 1, 501).split('\n');
    expect(shown.length).toBeLessThan(120);
    expect(shown[caret.indexOf('^')]).toBe('X');
  });

  it('is empty for a line that is not there', () => {
    expect(formatExcerpt('a', 7, 1)).toBe('');
  });
});
