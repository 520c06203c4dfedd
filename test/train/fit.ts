import { lengthOf, type Run, scoreRuns } from '../../src/core/detect/model/find-telling.ts';
import { BUCKETS } from '../../src/core/detect/model/read-sentences.ts';
import type { DetectRow } from '../score/detect-rows.ts';
import type { TrainingRow } from './training-rows.ts';

/** Weights before they are made small. */
export interface Fitted {
  readonly weights: Float32Array;
  readonly bias: number;
}

export interface Settings {
  readonly kind: DetectRow['kind'];
  readonly epochs: number;
  /** Starts of the pseudo-random order; the weights of all are averaged. */
  readonly seeds: readonly number[];
}

const RATE = 0.05;
const L2 = 1e-4;
/** Weight of rows of the other kind, and of what users say to chatbots: related, but not the same. */
const OF_OTHER_KIND = 0.3;
const OF_CHAT = 0.3;
/** A source's weight is the root of its size, so that none decides. */
const POWER = -0.5;
/** In the first rounds, long malicious texts are left out, since nothing tells yet which of their sentences is the attack. */
const ROUNDS_OF_SHORT = 2;
const MOST_OF_SHORT = 6;

/**
 * Fits a logistic regression by AdaGrad. A text counts by its highest run of sentences alone: one sentence makes a text an attack, and all
 * sentences of a benign one are benign.
 */
export function fit(rows: readonly TrainingRow[], { kind, epochs, seeds }: Settings): Fitted {
  const all = seeds.map((seed) => fitOnce(rows, { kind, epochs, seed }));
  const weights = new Float32Array(BUCKETS);
  for (const one of all) for (const [index, weight] of one.weights.entries()) weights[index]! += weight / all.length;
  return { weights, bias: all.reduce((sum, { bias }) => sum + bias / all.length, 0) };
}

function fitOnce(
  rows: readonly TrainingRow[],
  { kind, epochs, seed }: { readonly kind: DetectRow['kind']; readonly epochs: number; readonly seed: number },
): Fitted {
  const weights = new Float32Array(BUCKETS);
  const squares = new Float32Array(BUCKETS).fill(1e-4);
  let bias = 0;
  let squaresOfBias = 1e-2;
  const random = createRandom(seed);
  const importance = importanceOf(rows, kind);
  const order = rows.map((_, index) => index);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(order, random);
    for (const index of order) {
      const { row, read, ends } = rows[index]!;
      const sentences = read.from.length - 1;
      if (row.isMalicious && epoch < ROUNDS_OF_SHORT && sentences > MOST_OF_SHORT) continue;
      const some = Math.floor(random() * sentences);
      const run = epoch > 0 ? highestRun(rows[index]!, weights) : undefined;
      const first = run?.first ?? (row.isMalicious ? 0 : some);
      const behind = run?.behind ?? (row.isMalicious ? sentences : some + 1);
      const [start, end] = [read.from[first]!, read.from[behind]!];
      const length = lengthOf(end - start);
      let sum = 0;
      for (let at = start; at < end; at += 1) sum += weights[read.features[at]!]!;
      const error = (1 / (1 + Math.exp(-(sum / length + bias))) - (row.isMalicious ? 1 : 0)) * importance[index]!;
      if (Math.abs(error) < 1e-4 || ends.size === 0) continue;
      for (let at = start; at < end; at += 1) {
        const feature = read.features[at]!;
        const slope = error / length + L2 * weights[feature]!;
        squares[feature]! += slope * slope;
        weights[feature]! -= (RATE * slope) / Math.sqrt(squares[feature]!);
      }
      squaresOfBias += error * error;
      bias -= (RATE * error) / Math.sqrt(squaresOfBias);
    }
  }
  return { weights, bias };
}

function highestRun({ read, ends }: TrainingRow, weights: Float32Array): Run | undefined {
  let highest: Run | undefined;
  scoreRuns(read, weights, {
    onRun(run) {
      if (highest === undefined || run.sum > highest.sum) highest = run;
    },
    endsText: (sentence) => ends.has(sentence),
  });
  return highest;
}

/** The score of a row: that of its highest run, in any of its readings. */
export function scoreOf(row: TrainingRow, { weights, bias }: Fitted): number {
  const readings = [row, ...row.hidden.map((read) => ({ ...row, read, ends: new Set<number>() }))];
  return Math.max(...readings.map((reading) => highestRun(reading, weights)?.sum ?? Number.NEGATIVE_INFINITY)) + bias;
}

/** The weight of each row: all malicious ones together weigh as much as all others. */
function importanceOf(rows: readonly TrainingRow[], kind: DetectRow['kind']): readonly number[] {
  const keyOf = ({ row, source }: TrainingRow): string => JSON.stringify([row.isMalicious, row.kind, source]);
  const sizes = new Map<string, number>();
  for (const row of rows) sizes.set(keyOf(row), (sizes.get(keyOf(row)) ?? 0) + 1);
  const raw = rows.map(
    (each) => sizes.get(keyOf(each))! ** POWER * (each.row.kind === kind ? 1 : OF_OTHER_KIND) * (each.isChat ? OF_CHAT : 1),
  );
  const total = (isMalicious: boolean): number =>
    raw.reduce((sum, weight, index) => sum + (rows[index]!.row.isMalicious === isMalicious ? weight : 0), 0);
  const totals = { malicious: total(true), benign: total(false) };
  return raw.map(
    (weight, index) => (weight * rows.length) / 2 / (rows[index]!.row.isMalicious ? totals.malicious : totals.benign),
  );
}

function shuffle(order: number[], random: () => number): void {
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
}

/** Mulberry32: the same numbers on every machine. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
