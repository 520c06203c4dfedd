import type { Detector } from '../../src/core/detect/types.ts';
import type { DetectRow } from './detect-rows.ts';

/** Milliseconds. */
export interface Speed {
  readonly definitions: number;
  readonly median: number;
  readonly worst: number;
  /** A description of 80 KB. */
  readonly large: number;
  /** One of 10 MB, which is cut. */
  readonly huge: number;
}

const LARGE = 80 * 1024;
const HUGE = 10 * 1024 * 1024;
const CONTEXT = { server: 'measured', tools: [], others: new Map() };

/** How long each definition takes, by itself, with a detector that has looked at all of them before. */
export function measureSpeed(rows: readonly DetectRow[], detector: Detector): Speed {
  const times = rows
    .filter(({ kind }) => kind === 'definition')
    .map(({ definition }) => timeOf(() => detector.definitions([definition], CONTEXT)))
    .toSorted((one, other) => one - other);
  const words = rows.flatMap(({ texts }) => texts.map(({ text }) => text)).join('\n');
  const sized = (size: number): number => {
    const description = words.repeat(Math.ceil(size / Math.max(1, words.length))).slice(0, size);
    return timeOf(() => detector.definitions([{ kind: 'tool', name: 'sized', value: { name: 'sized', description } }], CONTEXT));
  };
  return {
    definitions: times.length,
    median: times[times.length >> 1] ?? 0,
    worst: times.at(-1) ?? 0,
    large: Math.min(sized(LARGE), sized(LARGE), sized(LARGE)),
    huge: sized(HUGE),
  };
}

function timeOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}
