/** A text's sentences, with the features of each: hashed words, pairs of neighbours, and parts of words. */
export interface ReadSentences {
  /** Buckets of all features, in order. A view that the next call overwrites. */
  readonly features: Int32Array;
  /** Offsets in the text: where each sentence begins, and the end of the last one. */
  readonly starts: readonly number[];
  /** Index of each sentence's first feature, and the number of all features. */
  readonly from: readonly number[];
}

/** Features are hashed into so many buckets, with one weight each. */
export const BUCKETS = 1 << 16;
const MASK = BUCKETS - 1;

/** FNV-1a's prime; each kind of feature starts with a number of its own. */
const PRIME = 0x01000193;
const OF_WORDS = 0x2c9b1a35;
const OF_PAIRS = 0x5f3a7c11;
const OF_PARTS = 0x1b873597;

/** Characters of a part of a word, with a blank for each end of the word. */
const PART = 4;
/** In scripts without spaces, runs of up to so many characters are the words. */
const WIDE_RUN = 3;

const LONGEST_WORD = 40;
/** A longer sentence is cut: data without an end is read in pieces. */
const LONGEST_SENTENCE = 400;
/** A character adds at most so many features. */
const MOST_FEATURES_OF_A_CHARACTER = 4;

const BLANK = 32;
const KIND = { mark: 0, space: 1, letter: 2, wide: 3, stop: 4, end: 5 } as const;

/** The kind of each UTF-16 unit. Created at first use. */
let kinds: Uint8Array | undefined;
let buffer = new Int32Array(1 << 12);

/** Splits a normalised text into sentences and hashes them. Takes time linear in the text. */
export function readSentences(text: string): ReadSentences {
  kinds ??= kindsOfUnits();
  const most = text.length * MOST_FEATURES_OF_A_CHARACTER + MOST_FEATURES_OF_A_CHARACTER;
  if (buffer.length < most) buffer = new Int32Array(2 * most);
  const reader = new SentenceReader(text, kinds, buffer);
  return { features: buffer.subarray(0, reader.count), starts: reader.starts, from: reader.from };
}

class SentenceReader {
  readonly starts: number[] = [0];
  readonly from: number[] = [0];
  count = 0;
  readonly #text: string;
  readonly #kinds: Uint8Array;
  readonly #features: Int32Array;
  #begin = 0;
  /** Hash of the word before, or 0. */
  #before = 0;

  constructor(text: string, units: Uint8Array, features: Int32Array) {
    this.#text = text;
    this.#kinds = units;
    this.#features = features;
    let at = 0;
    while (at < text.length) {
      at = this.#step(at);
      if (at - this.#begin > LONGEST_SENTENCE) this.#end(at);
    }
    this.#end(text.length);
  }

  #step(at: number): number {
    const code = this.#text.charCodeAt(at);
    const kind = this.#kinds[code];
    if (kind === KIND.letter) return this.#word(at);
    const next = at + 1;
    if (kind === KIND.wide) this.#wide(at);
    else if (kind === KIND.mark) this.#addWord(Math.imul(OF_WORDS ^ code, PRIME));
    else if (kind === KIND.end || (kind === KIND.stop && !(this.#text.charCodeAt(next) > BLANK))) this.#end(next);
    return next;
  }

  /** Ends the sentence, unless nothing is in it. */
  #end(at: number): void {
    this.#begin = at;
    this.#before = 0;
    if (this.count === this.from.at(-1)) this.starts[this.starts.length - 1] = at;
    else {
      this.starts.push(at);
      this.from.push(this.count);
    }
  }

  #add(hash: number): void {
    this.#features[this.count] = (hash ^ (hash >>> 15)) & MASK;
    this.count += 1;
  }

  #addWord(word: number): void {
    this.#add(word);
    if (this.#before !== 0) this.#add(Math.imul(this.#before ^ OF_PAIRS, PRIME) + word);
    this.#before = word;
  }

  #word(start: number): number {
    const text = this.#text;
    let word = OF_WORDS;
    let at = start;
    while (at < text.length && at - start < LONGEST_WORD && this.#kinds[text.charCodeAt(at)] === KIND.letter) {
      word = Math.imul(word ^ text.charCodeAt(at), PRIME);
      at += 1;
    }
    this.#addWord(word);
    for (let from = start - 1; from + PART <= at + 1; from += 1) {
      let part = OF_PARTS;
      for (let index = from; index < from + PART; index += 1)
        part = Math.imul(part ^ (index < start || index >= at ? BLANK : text.charCodeAt(index)), PRIME);
      this.#add(part);
    }
    return at;
  }

  #wide(start: number): void {
    let run = OF_WORDS;
    for (let at = start; at < start + WIDE_RUN; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (this.#kinds[code] !== KIND.wide) break;
      run = Math.imul(run ^ code, PRIME);
      this.#add(run);
    }
  }
}

function kindsOfUnits(): Uint8Array {
  const units = new Uint8Array(0x10000).fill(KIND.letter, 0x80);
  units.fill(KIND.mark, 0x21, 0x7f).fill(KIND.letter, 0x30, 0x3a).fill(KIND.letter, 0x61, 0x7b);
  units.fill(KIND.mark, 0xa0, 0xc0).fill(KIND.mark, 0x2010, 0x2070).fill(KIND.mark, 0x3000, 0x3040);
  units.fill(KIND.wide, 0x3040, 0xfb00).fill(KIND.space, 0, 0x21);
  for (const [signs, kind] of [
    ["'_", KIND.letter],
    ['.!?', KIND.stop],
    ['\n\u3002\uff01\uff1f\uff1b', KIND.end],
  ] as const)
    for (const sign of signs) units[sign.charCodeAt(0)] = kind;
  return units;
}
