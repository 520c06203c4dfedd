import type { FeatureKind } from './features.ts';
import { letterKind, NOTHING } from './letters.ts';
import { informationOf } from './plain-words.ts';

/** A value in a text that a result had. */
export interface Hit {
  readonly kind: FeatureKind;
  readonly start: number;
  readonly end: number;
}

/** Least bits of a single passage, of each of several passages, and of these together. */
const PASSAGE_BITS = 50;
const PART_BITS = 30;
const PARTS_BITS = 100;

/** Least bits of a line, and least words. */
const LINE_BITS = 48;
const LINE_WORDS = 4;

const LONGEST_WORD = 40;

/** Makes a key or a number count more than any passage when the best evidence is chosen. */
const STRONG_BITS = 1000;

/** A range in a text. */
export interface Span {
  readonly start: number;
  end: number;
}

/** The joint evidence of the values that a text shares with one result. */
export class EvidenceOf {
  /** Amount of shared information. */
  readonly bits: number;
  readonly #text: string;
  readonly #numbers: readonly Span[];
  readonly #pieces: readonly Span[];
  readonly #passages: readonly Span[];

  /** @param text in lower case, to which the hits refer */
  constructor(text: string, hits: readonly Hit[]) {
    this.#text = text;
    this.#numbers = spansOf(hits, 'number');
    // A number is also found as a piece if letters are beside it.
    this.#pieces = spansOf(hits, 'piece').filter(
      (piece) => !this.#numbers.some((number) => number.start <= piece.start && piece.end <= number.end),
    );
    const lines = spansOf(hits, 'line').filter((line) => this.#isTellingLine(line));
    const passages = this.#tellingPassages(spansOf(hits, 'passage'));
    this.#passages = joined([...lines, ...passages].sort((first, second) => first.start - second.start));
    const strong = this.#numbers.length + this.#pieces.length > 0 ? STRONG_BITS : 0;
    this.bits = strong + sizeOf(this.#pieces) + sizeOf(this.#numbers) + sizeOf(this.#passages);
  }

  isEnough(): boolean {
    return this.bits > 0;
  }

  /** Kinds and lengths, never the values: `3 lines and an identifier of 40 characters`. */
  describe(): string {
    const passages = this.#passages.filter(
      (passage) => !this.#pieces.some((piece) => piece.start <= passage.start && passage.end <= piece.end),
    );
    const lines = passages.filter((passage) => this.#isWholeLine(passage));
    return listOf([
      describeSpans(lines, 'a line', 'lines', (span) => `${span.end - span.start} characters`),
      describeSpans(
        passages.filter((passage) => !lines.includes(passage)),
        'a passage',
        'passages',
        (span) => `${span.end - span.start} characters`,
      ),
      describeSpans(this.#pieces, 'an identifier', 'identifiers', (span) => `${span.end - span.start} characters`),
      describeSpans(this.#numbers, 'a number', 'numbers', (span) => `${this.#lettersIn(span)} digits`),
    ]);
  }

  #isTellingLine(line: Span): boolean {
    const text = this.#text.slice(line.start, line.end);
    return text.split(/[\s,;|]+/).length >= LINE_WORDS && informationOf(text) >= LINE_BITS;
  }

  #tellingPassages(spans: readonly Span[]): readonly Span[] {
    const bits = new Map(spans.map((span) => [span, this.#informationOf(span)]));
    const parts = spans.filter((span) => (bits.get(span) ?? 0) >= PART_BITS);
    const sum = parts.reduce((all, span) => all + (bits.get(span) ?? 0), 0);
    return sum >= PARTS_BITS ? parts : spans.filter((span) => (bits.get(span) ?? 0) >= PASSAGE_BITS);
  }

  /** The information of a span. Words at its ends are looked up as a whole, and count in part. */
  #informationOf(span: Span): number {
    let { start, end } = span;
    const isInner = (index: number): boolean =>
      index > 0 && index < this.#text.length && this.#isLetter(index - 1) && this.#isLetter(index);
    while (span.start - start < LONGEST_WORD && isInner(start)) start -= 1;
    while (end - span.end < LONGEST_WORD && isInner(end)) end += 1;
    if (!isSeveralWords(this.#text.slice(start, end))) return 0;
    return (informationOf(this.#text.slice(start, end)) * (span.end - span.start)) / (end - start);
  }

  #isWholeLine({ start, end }: Span): boolean {
    const before = this.#text.lastIndexOf('\n', start - 1) + 1;
    const next = this.#text.indexOf('\n', end);
    const after = next === -1 ? this.#text.length : next;
    for (let index = before; index < start; index += 1) if (this.#isLetter(index)) return false;
    for (let index = end; index < after; index += 1) if (this.#isLetter(index)) return false;
    return true;
  }

  #isLetter(index: number): boolean {
    return letterKind(this.#text.charCodeAt(index)) !== NOTHING;
  }

  #lettersIn({ start, end }: Span): number {
    let letters = 0;
    for (let index = start; index < end; index += 1) if (this.#isLetter(index)) letters += 1;
    return letters;
  }
}

/** Tells whether a text has several words. A long compound is one. From Thai on, Unicode's scripts are written without blanks. */
function isSeveralWords(text: string): boolean {
  return /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(text) || /[\u0e00-\uffef]/.test(text);
}

function spansOf(hits: readonly Hit[], kind: FeatureKind): readonly Span[] {
  return joined(hits.filter((hit) => hit.kind === kind));
}

/** Joins spans that touch. @param spans in the order of their starts */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const { start, end } of spans) {
    const last = all.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

function sizeOf(spans: readonly Span[]): number {
  return spans.reduce((size, { start, end }) => size + end - start, 0);
}

function describeSpans(spans: readonly Span[], one: string, many: string, length: (span: Span) => string): string[] {
  const [first] = spans;
  if (first === undefined) return [];
  return [spans.length === 1 ? `${one} of ${length(first)}` : `${spans.length} ${many}`];
}

function listOf(parts: readonly string[][]): string {
  const all = parts.flat();
  const last = all.pop() ?? '';
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`;
}
