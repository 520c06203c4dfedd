import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePieces } from '../../../src/core/paths/percent.ts';
import { cutIntoPieces } from '../../../src/core/json.ts';
import { PIECE, type Pieces, toPieces } from '../../../src/core/paths/pieces.ts';

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

/** The same in pieces, which are made again for each round. */
function roundsOf(text: string): string[] {
  let pieces: Pieces = [...cutIntoPieces(text, PIECE)];
  return decodeRounds(text).map(() => {
    const [round, before] = [[...pieces].join(''), pieces];
    pieces = toPieces(() => decodePieces(before), false);
    return round;
  });
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

describe('decodePieces again and again', () => {
  it('makes what each round makes, wherever the pieces end', () => {
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

  it.each(['%C3%A9', '%2541', '%80', '%E4%B8', '%25252525'])('decodes a long text of %j', (unit) => {
    const whole = unit.repeat(20_000);
    const [walked, made] = [roundsOf(whole), decodeRounds(whole)];
    expect(walked.length).toBe(made.length);
    expect(walked.every((round, at) => round === made[at])).toBe(true);
  });
});
