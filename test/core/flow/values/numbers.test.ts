import { describe, expect, it } from 'vitest';
import { NUMBER, visitNumbers, withoutKnownNumbers } from '../../../../src/core/flow/values/numbers.ts';

function numbersIn(text: string): readonly number[] {
  const numbers: number[] = [];
  visitNumbers(withoutKnownNumbers(text), (value) => numbers.push(value));
  return numbers;
}

describe('visitNumbers', () => {
  it.each([
    ['536904271', [536904271]],
    ['536-90-4271', [536904271]],
    ['+44 (0) 7700 900461', [440770090, 407700900, 77009004, 770090046, 700900461]],
    ['0044 7700 900461', [447700900, 477009004, 770090046, 700900461]],
    ['06 12 34 58 79', [612345879]],
    ['4929381332', [492938133, 929381332]],
  ])('%s', (text, numbers) => {
    expect(numbersIn(text)).toEqual(numbers);
  });

  it.each([
    '12345678',
    '123456789',
    '1000000000',
    '987654321',
    '5369 a 04271',
    '5369     04271',
    '1 7 3 8 2 9 4 6 5',
    '2026-11-22T11:07:27.123456Z',
    '20261122T110727Z',
    '22.11.2026 11:07:27',
    '1763809647',
    '1763809647123',
    '192.168.178.204:58231',
    'v24.19.2',
  ])('%s is none', (text) => {
    expect(numbersIn(text)).toEqual([]);
  });

  it('may be asked for numbers of a digit a group', () => {
    const numbers: number[] = [];
    visitNumbers('1 7 3 8 2 9 4 6 5', (value) => numbers.push(value), NUMBER);
    expect(numbers).toEqual([173829465]);
  });

  it('says where they stand', () => {
    const places: number[][] = [];
    visitNumbers('SSN 536-90-4271.', (_value, start, end) => places.push([start, end]));
    expect(places).toEqual([[4, 15]]);
  });
});
