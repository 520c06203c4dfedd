import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { walkRounds } from '../../../src/core/paths/percent.ts';
import { PIECE } from '../../../src/core/paths/pieces.ts';

/** As the platform decodes, each round as a whole. */
function decodeRounds(text: string): string[] {
  const rounds = [text];
  for (let round = 0; round < 4; round++) {
    const last = rounds.at(-1) ?? '';
    const next = last.replaceAll(/(?:%[\dA-F]{2})+/gi, (run) =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(run.replaceAll('%', ''), 'hex')),
    );
    if (next === last) break;
    rounds.push(next);
  }
  return rounds;
}

function roundsOf(text: string): string[] {
  const rounds: string[] = [];
  const last = walkRounds(text, (piece, round) => {
    rounds[round] = (rounds[round] ?? '') + piece;
    return false;
  });
  return rounds.slice(0, last + 1);
}

const PART = fc.constantFrom(
  '%41',
  '%2541',
  '%252541',
  '%25',
  '%',
  '%2',
  '%C3%A9',
  '%25C3%25A9',
  '%F0%9F%98%80',
  '%FF',
  '\u{1F600}',
  'é',
  'a',
);

describe('walkRounds', () => {
  it('walks through what each round makes, wherever the pieces end', () => {
    const text = fc.tuple(
      fc.integer({ min: -12, max: 12 }),
      fc.array(PART, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
    );
    fc.assert(
      fc.property(text, ([offset, parts, times]) => {
        // The parts lie across the first borders.
        const whole = 'x'.repeat(PIECE + offset - 6) + parts.join('').repeat(times) + 'y'.repeat(PIECE - 20) + parts.join('');
        const [walked, made] = [roundsOf(whole), decodeRounds(whole)];
        expect(walked.length).toBe(made.length);
        expect(walked.every((round, at) => round === made[at])).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['%C3%A9', '%2541', '%80', '%E4%B8', '%25252525'])('walks through a long text of %j', (unit) => {
    const whole = unit.repeat(20_000);
    const [walked, made] = [roundsOf(whole), decodeRounds(whole)];
    expect(walked.length).toBe(made.length);
    expect(walked.every((round, at) => round === made[at])).toBe(true);
  });

  it('walks no further than the last round that is wanted', () => {
    const seen = new Set<number>();
    const visit = (_: string, round: number): boolean => {
      seen.add(round);
      return false;
    };
    expect(walkRounds('%252541', visit, 1)).toBe(1);
    expect([...seen]).toEqual([0, 1]);
  });

  it('ends where it is told to', () => {
    let visits = 0;
    walkRounds('%41'.repeat(PIECE), () => ++visits === 2);
    expect(visits).toBe(2);
  });
});
