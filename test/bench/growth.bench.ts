import { GROWTH_CASES, type GrowthCase } from './growth-cases.ts';
import { atMost, type Row } from './row.ts';

/** The larger size is so many times the smaller one. */
const TIMES = 16;

/** Work as the square of the size would be 256; work as the size is 16, and the rest is for the machine's caches. */
export const MOST_GROWTH = TIMES * 5;

/** Times below this many milliseconds count as this much. */
const LEAST = 1;
const ATTEMPTS = 3;

/**
 * How many times as much of the processor's time 16 times the size takes: the least of some attempts. The time that other processes take
 * does not count.
 */
export function growthOf({ size, prepare }: GrowthCase): number {
  const [small, large] = [prepare(size), prepare(size * TIMES)];
  let growth = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && growth > MOST_GROWTH / 2; attempt++) {
    // As much work as the larger size should be: one short run would be more of a guess.
    const often = timeOf(() => Array.from({ length: TIMES }, small)) / TIMES;
    growth = Math.min(growth, timeOf(large) / Math.max(often, LEAST));
  }
  return growth;
}

/** Milliseconds of this thread on the processor. */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Measures that what others choose costs no more than its length: one row for each function, with the worst of its cases. */
export function growthBench(): Row[] {
  const worst = new Map<string, { readonly name: string; readonly value: number; readonly most: number }>();
  for (const one of GROWTH_CASES) {
    const value = growthOf(one);
    if (value > (worst.get(one.group)?.value ?? 0))
      worst.set(one.group, { name: one.name, value, most: one.most ?? MOST_GROWTH });
  }
  return Array.from(worst.values(), ({ name, value, most }) =>
    atMost(most, { name: `${TIMES} times the size: ${name.slice(0, 60)}`, unit: '×', value }),
  );
}
