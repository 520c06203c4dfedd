import { type ReadSentences, readSentences } from './read-sentences.ts';

/** Weights of features, and where their sum begins to tell something. */
export interface Model {
  readonly weights: Int8Array;
  /** A weight's unit. */
  readonly scale: number;
  readonly bias: number;
}

/** Neighbouring sentences that read like an attack. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  /** Log-odds. */
  readonly score: number;
}

/** Most neighbouring sentences that are judged together: an order and its excuse. */
const MOST_TOGETHER = 3;

/** Added to the number of features, so that a sentence of two words weighs little. */
const SHORT = 20;

/** Log-odds by which scores differ that count as about the same. */
const ABOUT = 0.5;

const BLANK = 32;
const MOST_PASSAGES = 3;
const MOST_WORDS = 4;

/** Tells whether a sentence's neighbour is in another text, which is not judged together with it. */
type EndsText = (sentence: number) => boolean;

/** A run of sentences, by their indices, and its score before the bias. */
export interface Run {
  readonly first: number;
  readonly behind: number;
  readonly sum: number;
}

/** The scores of all runs of up to three sentences, in order. Works with the weights of training and with those that ship. */
export function scoreRuns(
  { features, from }: Pick<ReadSentences, 'features' | 'from'>,
  weights: Int8Array | Float32Array,
  { onRun, endsText = () => false }: { readonly onRun: (run: Run) => void; readonly endsText?: EndsText },
): void {
  const sums = new Float64Array(Math.max(0, from.length - 1));
  for (let sentence = 0; sentence < sums.length; sentence += 1) {
    let sum = 0;
    for (let at = from[sentence] ?? 0; at < (from[sentence + 1] ?? 0); at += 1) sum += weights[features[at] ?? 0] ?? 0;
    sums[sentence] = sum;
  }
  for (let first = 0; first < sums.length; first += 1) {
    let sum = 0;
    for (let behind = first + 1; behind <= sums.length && behind <= first + MOST_TOGETHER; behind += 1) {
      sum += sums[behind - 1] ?? 0;
      onRun({ first, behind, sum: sum / lengthOf((from[behind] ?? 0) - (from[first] ?? 0)) });
      if (endsText(behind - 1)) break;
    }
  }
}

/** A sum of so many features is divided by this, so that long sentences do not win by length. */
export function lengthOf(features: number): number {
  return Math.sqrt(features + SHORT);
}

/** The passages of a normalised text that score at least so much, the highest first; they do not overlap. Takes linear time. */
export function findTelling(text: string, { weights, scale, bias }: Model, least: number): readonly Passage[] {
  const read = readSentences(text);
  const found: Passage[] = [];
  scoreRuns(read, weights, {
    onRun({ first, behind, sum }) {
      const score = sum * scale + bias;
      if (score < least) return;
      keep(found, { start: pastBlanks(text, read.starts[first] ?? 0), end: read.starts[behind] ?? text.length, score });
    },
  });
  return found;
}

function pastBlanks(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= BLANK) at += 1;
  return at;
}

/**
 * Adds a passage if it scores more than all that it overlaps, which it replaces, and than the least of those that fill the list. Of two
 * where one is a part of the other and scores about as much, the part is kept, with the higher score: the sentence beside it tells nothing.
 */
function keep(found: Passage[], passage: Passage): void {
  const near = found.find((other) => (isPart(passage, other) || isPart(other, passage)) && isAbout(passage, other));
  const { start, end } = near === undefined || isPart(passage, near) ? passage : near;
  const kept = { start, end, score: Math.max(passage.score, near?.score ?? -Infinity) };
  const overlaps = (other: Passage): boolean => other.start < kept.end && kept.start < other.end;
  if (found.some((other) => other !== near && other.score >= kept.score && overlaps(other))) return;
  const rest = found.filter((other) => other !== near && !overlaps(other));
  const all = [...rest, kept].sort((one, other) => other.score - one.score);
  found.splice(0, found.length, ...all.slice(0, MOST_PASSAGES));
}

function isPart(one: Passage, other: Passage): boolean {
  return one.start >= other.start && one.end <= other.end;
}

function isAbout(one: Passage, other: Passage): boolean {
  return Math.abs(one.score - other.score) < ABOUT;
}

/** The words of a passage that weighed most, in its order. */
export function tellingWords(passage: string, { weights }: Model): readonly string[] {
  const words = [...new Set(passage.match(/[\p{L}\p{N}'_-]{2,40}/gu))].slice(0, 400);
  const weighed = words.map((word, index) => ({ word, index, weight: weightOf(word, weights) }));
  const most = weighed.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  return most
    .slice(0, MOST_WORDS)
    .sort((one, other) => one.index - other.index)
    .map(({ word }) => word);
}

function weightOf(word: string, weights: Int8Array): number {
  let weight = 0;
  for (const feature of readSentences(word).features) weight += weights[feature] ?? 0;
  return weight;
}
