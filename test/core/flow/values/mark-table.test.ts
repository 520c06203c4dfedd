import { describe, expect, it } from 'vitest';
import { MarkTable } from '../../../../src/core/flow/values/mark-table.ts';
import { hasher } from './memory.ts';

const mark = (index: number): number => hasher.numberMark(index);

describe('MarkTable', () => {
  it('finds what was added, also after it has grown, and nothing else', () => {
    const table = new MarkTable((size) => new Float64Array(size), 64);
    for (let index = 0; index < 5000; index += 1) table.add(mark(index), index * 2);
    expect(table.count).toBe(5000);
    for (let index = 0; index < 5000; index += 1) expect(table.at(table.find(mark(index)))).toBe(index * 2);
    for (let index = 5000; index < 10_000; index += 1) expect(table.find(mark(index))).toBe(-1);
  });

  it('keeps a mark several times, each with its number', () => {
    const table = new MarkTable((size) => new Uint8Array(size), 64);
    for (const number of [3, 1, 2]) table.add(mark(7), number);
    const numbers: number[] = [];
    for (let place = table.find(mark(7)); place !== -1; place = table.next(mark(7), place)) numbers.push(table.at(place));
    expect(numbers.sort()).toEqual([1, 2, 3]);
    table.put(table.find(mark(7)), 9);
    expect(table.at(table.find(mark(7)))).toBe(9);
  });
});
