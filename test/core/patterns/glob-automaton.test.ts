import { describe, expect, it } from 'vitest';
import { createAutomaton, tokenizeGlob } from '../../../src/core/patterns/glob-automaton.ts';

function run(pattern: string, value: string): boolean {
  return createAutomaton(tokenizeGlob(pattern))(value, 0, value.length);
}

/** 31 consuming tokens fill one word with their states, 32 and more need further words. */
const LENGTHS = [1, 30, 31, 32, 33, 63, 64, 65, 200];

describe('createAutomaton', () => {
  it.each(LENGTHS)('counts %i characters exactly', (length) => {
    const pattern = `*${'?'.repeat(length)}`;
    expect(run(pattern, 'x'.repeat(length))).toBe(true);
    expect(run(pattern, 'x'.repeat(length + 1))).toBe(true);
    expect(run(pattern, 'x'.repeat(length - 1))).toBe(false);
  });

  it.each(LENGTHS)('compares %i characters and ends in **', (length) => {
    const body = 'abcdefg'.repeat(30).slice(0, length);
    expect(run(`*${body}**`, `zz${body}/zz`)).toBe(true);
    expect(run(`*${body}**`, `z/${body}/zz`)).toBe(false);
    expect(run(`**${body}*`, `z/${body}/zz`)).toBe(false);
    expect(run(`**${body}*`, `z/${body}zz`)).toBe(true);
  });

  it.each(LENGTHS)('finds the last of %i characters beyond the ASCII range', (length) => {
    const body = `${'é'.repeat(length - 1)}😀`;
    expect(run(`**${body}*`, `xé😁${body}`)).toBe(true);
    expect(run(`**${body}*`, `xé😁${body.slice(0, -1)}`)).toBe(false);
  });

  it('looks only at its part of the value', () => {
    const automaton = createAutomaton(tokenizeGlob('*a?*'));
    expect(automaton('//a😀//', 2, 5)).toBe(true);
    // The part ends inside of a surrogate pair: what is left of it is one code point.
    expect(automaton('//a😀//', 2, 4)).toBe(true);
    expect(automaton('//a😀//', 2, 3)).toBe(false);
  });
});
