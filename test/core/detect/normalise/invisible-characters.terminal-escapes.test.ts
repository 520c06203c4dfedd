import { describe, expect, it } from 'vitest';
import { TERMINAL_ESCAPE } from '../../../../src/core/detect/normalise/invisible-characters.ts';

describe('TERMINAL_ESCAPE', () => {
  it.each([
    '\x1b[31m',
    '\x1b[38;5;8m',
    '\x1b[?1049h',
    '\x9b2J',
    '\x1b]0;title\x07',
    '\x1b]8;;https://example.com\x1b\\',
    '\x9d0;title\x9c',
    '\x1bPdata\x1b\\',
    '\x1b(B',
    '\x1bc',
    '\x1b7',
  ])('%j is one, all of it', (escape) => {
    expect(`a${escape}b`.replace(TERMINAL_ESCAPE, '')).toBe('ab');
  });

  it('of a string without an end, the introducer', () => {
    expect('\x1b]0;title goes on'.replace(TERMINAL_ESCAPE, '')).toBe('0;title goes on');
  });

  it('is nothing in ordinary text', () => {
    expect('a[0] = b; [31m \\x1b[2J'.match(TERMINAL_ESCAPE)).toBeNull();
  });
});
