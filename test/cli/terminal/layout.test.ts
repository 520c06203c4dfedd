import { describe, expect, it } from 'vitest';
import { formatDuration, paragraph } from '../../../src/cli/terminal/layout.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [999, '0 s'],
    [59 * SECOND, '59 s'],
    [MINUTE, '1 min'],
    [MINUTE + SECOND, '1 min 1 s'],
    [HOUR + 59 * SECOND, '1 h'],
    [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
    [49 * HOUR, '2 d 1 h'],
  ])('%i is %s', (milliseconds, expected) => {
    expect(formatDuration(milliseconds)).toBe(expected);
  });
});

describe('paragraph', () => {
  const terminal = { width: 30, colour: false, now: 0 };

  it('breaks at words, and further lines stand further in', () => {
    expect(paragraph('one two three four five six seven eight', terminal)).toEqual([
      '  one two three four five',
      '    six seven eight',
    ]);
  });

  it('cuts what is wider than a terminal, and nothing where there is none', () => {
    const long = 'x'.repeat(100);
    expect(paragraph(long, terminal).every((line) => line.length <= 30)).toBe(true);
    expect(paragraph(long, { ...terminal, width: Infinity })).toEqual([`  ${long}`]);
  });

  it('is one line for a text that brings its own', () => {
    expect(paragraph('a\nb\u202Ec', { ...terminal, width: Infinity })).toEqual([String.raw`  a\u{A}b\u{202E}c`]);
  });
});
