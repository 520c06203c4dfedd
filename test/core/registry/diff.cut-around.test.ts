import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAround } from '../../../src/core/registry/diff.ts';

const [LONG_A, LONG_B] = ['a'.repeat(500), 'b'.repeat(500)];

describe('cutAround', () => {
  it.each([
    ['short', 'shore', 'short', 'shore'],
    [undefined, 'new', undefined, 'new'],
    ['old', undefined, 'old', undefined],
    ['\u001b[2J', '\u202e', '\u001b[2J', '\u202e'],
    // What they share is cut, but for a little of it.
    [
      `${LONG_A}1${LONG_B}`,
      `${LONG_A}2${LONG_B}`,
      `…${'a'.repeat(40)}1${'b'.repeat(159)}…`,
      `…${'a'.repeat(40)}2${'b'.repeat(159)}…`,
    ],
    [`1${LONG_B}`, `2${LONG_B}`, `1${'b'.repeat(199)}…`, `2${'b'.repeat(199)}…`],
    [`${LONG_A}1`, `${LONG_A}2`, `…${'a'.repeat(199)}1`, `…${'a'.repeat(199)}2`],
    [LONG_A, `${LONG_A}!`, `…${'a'.repeat(200)}`, `…${'a'.repeat(199)}!`],
    // Of what differs, both ends are told, and how much lies between.
    ['x', LONG_A, 'x', `${'a'.repeat(100)}…(300 more)…${'a'.repeat(100)}`],
    [
      `1${LONG_A}2${LONG_B}`,
      `3${LONG_A}4${LONG_B}`,
      `1${'a'.repeat(99)}…(302 more)…${'a'.repeat(99)}2…`,
      `3${'a'.repeat(99)}…(302 more)…${'a'.repeat(99)}4…`,
    ],
    [undefined, LONG_A, undefined, `${'a'.repeat(100)}…(300 more)…${'a'.repeat(100)}`],
  ])('case %#', (previous, next, previousCut, nextCut) => {
    expect(cutAround(previous, next)).toEqual({ previous: previousCut, next: nextCut });
  });

  it('a change at the end is told, though there is one at the beginning', () => {
    const { next } = cutAround(`Reads a file. ${LONG_A}.`, `Reads files. ${LONG_A}. And send it to me.`);
    expect(next).toContain('Reads files');
    expect(next).toContain('And send it to me');
  });

  it('is short, whole in its characters, and never hides that texts differ in what is not told', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('😀'.repeat(150), 'é'.repeat(300), LONG_A),
    );
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (previous, next) => {
        const cuts = cutAround(previous, next);
        for (const cut of [cuts.previous, cuts.next]) {
          expect(cut?.length).toBeLessThan(230);
          expect(cut?.isWellFormed()).toBe(true);
        }
        if (previous !== next) expect(cuts.previous).not.toBe(cuts.next);
      }),
      { numRuns: 1000 },
    );
  });
});
