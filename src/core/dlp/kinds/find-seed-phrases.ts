import { hash } from 'node:crypto';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { TextRange } from '../scan-text.ts';
import type { FindKind } from './find-kind.ts';

const WORD = /[A-Za-z]+/g;

/** Numbers of words, the longest first: a phrase of 24 words may have one of 12 in it. */
const LENGTHS = [24, 21, 18, 15, 12];

/** Least words of a phrase. */
const LEAST = 12;

/** Letters of a word, and most characters between two of them: spaces, numbers, quotes. */
const LETTERS = { least: 3, most: 8 } as const;
const MOST_BETWEEN = 8;

/** Characters of the shortest phrase; of each so many in it, a whole word follows one. */
const SHORTEST = 47;
const STRIDE = 24;

/** Least words behind the first of those places in a phrase: before it stand seven at most, the shortest ones. */
const LEAST_BEHIND = 4;

/** Checksums that are computed for a text. Only a text of nothing but such words has more. */
const MOST_CHECKS = 20_000;

/** Bits that a word stands for. */
const WORD_BITS = 11;

interface Word {
  readonly start: number;
  readonly end: number;
  /** Its number in the list. */
  readonly number: number;
}

/** The beginnings of the words: which of four letters and of three there are. No two words share one of four. */
interface WordList {
  readonly beginnings: Uint8Array;
  /** Small, so that it stays in the processor's cache: most words end the search here. */
  readonly short: Uint8Array;
}

let wordList: WordList | undefined;

let numbers: ReadonlyMap<string, number> | undefined;

/** Most processes look at one text, so it must not take long. */
function loadWordList(): WordList {
  const beginnings = new Uint8Array(1 << 20);
  const short = new Uint8Array(1 << 15);
  for (const word of wordlist) {
    let bits = 0;
    for (let at = 0; at < 4; at += 1) bits = (bits << 5) | (at < word.length ? word.charCodeAt(at) & 0x1f : 0);
    beginnings[bits] = 1;
    short[bits >> 5] = 1;
  }
  return { beginnings, short };
}

/** Five bits for each of the first four letters, whatever their case. */
function beginningOf(bytes: Uint8Array, start: number, end: number): number {
  let bits = 0;
  for (let at = start; at < start + 4; at += 1) bits = (bits << 5) | (at < end ? (bytes[at] as number) & 0x1f : 0);
  return bits;
}

/**
 * Finds the phrases from which wallets make their keys: 12 to 24 English words with a checksum (BIP 39). Looks at one word of some, since
 * nearly all texts have none: only where that is in the list, at the words around it.
 */
export const findSeedPhrases: FindKind = function* findSeedPhrases(text, { bytes }) {
  const budget = { checks: MOST_CHECKS };
  let done = 0;
  if (text.length < SHORTEST) return;
  const list = (wordList ??= loadWordList());
  for (let at = nextListed(bytes, STRIDE - 1, list); at !== -1; at = nextListed(bytes, at + STRIDE, list)) {
    if (at < done) continue;
    const run = runAround(bytes, endOfLetters(bytes, at), list);
    if (run === undefined) continue;
    done = run.end;
    for (const words of listedWords(text, run)) yield* phrasesIn(words, budget);
  }
};

/** The words of the list that stand one behind the other. Hyphens join the words of a name, unless all words have them. */
function* listedWords(text: string, { start: from, end: to }: TextRange): Iterable<readonly Word[]> {
  numbers ??= new Map(wordlist.map((word, number) => [word, number]));
  const run = text.slice(from, to);
  const hasNames = /[A-Za-z]-[A-Za-z]/.test(run) && /[A-Za-z][^A-Za-z-]+[A-Za-z]/.test(run);
  let words: Word[] = [];
  for (const { 0: word, index } of run.matchAll(WORD)) {
    const number = numbers.get(word.toLowerCase());
    const start = from + index;
    if (number === undefined || (hasNames && run.charAt(index - 1) === '-' && text.charAt(start - 2) !== ' ')) {
      yield words;
      words = [];
    }
    if (number !== undefined) words.push({ start, end: start + word.length, number });
  }
  yield words;
}

/** The first of the places from there on, each so far from the one before, behind which a word of the list may stand; -1 if there is none. */
function nextListed(bytes: Uint8Array, from: number, { short }: WordList): number {
  for (let at = from; at < bytes.length; at += STRIDE) {
    // The word at the place may have begun long ago, so the next one is looked at.
    const end = endOfLetters(bytes, at);
    const start = endOfBetween(bytes, end);
    if (start > end && short[beginningOf(bytes, start, start + 3) >> 5] === 1) return at;
  }
  return -1;
}

/** The words around a place that may all be in the list; undefined if they are too few. */
function runAround(bytes: Uint8Array, from: number, { beginnings }: WordList): TextRange | undefined {
  let count = 0;
  let end = from;
  for (let next = endOfNext(bytes, end, beginnings); next !== -1; next = endOfNext(bytes, end, beginnings)) {
    end = next;
    count += 1;
  }
  if (count < LEAST_BEHIND) return undefined;
  let start = endOfBetween(bytes, from);
  for (let before = startBefore(bytes, start, beginnings); before !== -1; before = startBefore(bytes, start, beginnings)) {
    start = before;
    count += 1;
  }
  return count < LEAST ? undefined : { start, end };
}

/** The end of the next word; -1 if it is not in the list. */
function endOfNext(bytes: Uint8Array, from: number, beginnings: Uint8Array): number {
  const start = endOfBetween(bytes, from);
  const end = endOfLetters(bytes, start);
  return start > from && isListed(bytes, start, end, beginnings) ? end : -1;
}

/** The start of the word before; -1 if it is not in the list. */
function startBefore(bytes: Uint8Array, to: number, beginnings: Uint8Array): number {
  let end = to;
  while (to - end < MOST_BETWEEN && CLASSES[bytes[end - 1] ?? 0] === BETWEEN) end -= 1;
  let start = end;
  while (end - start <= LETTERS.most && CLASSES[bytes[start - 1] ?? 0] === LETTER) start -= 1;
  return end < to && isListed(bytes, start, end, beginnings) ? start : -1;
}

function isListed(bytes: Uint8Array, start: number, end: number, beginnings: Uint8Array): boolean {
  const length = end - start;
  return length >= LETTERS.least && length <= LETTERS.most && beginnings[beginningOf(bytes, start, end)] === 1;
}

/** Letters, and signs and white space that may stand between the words of a phrase. */
const LETTER = 1;
const BETWEEN = 2;
const CLASSES = new Uint8Array(256);
for (let code = 0; code < CLASSES.length; code += 1) {
  const character = String.fromCharCode(code);
  CLASSES[code] = /[A-Za-z]/.test(character) ? LETTER : /[\s,;"'\d.):|-]/.test(character) ? BETWEEN : 0;
}

/** Letters behind those of the longest word are not counted. */
function endOfLetters(bytes: Uint8Array, from: number): number {
  let end = from;
  while (end - from <= LETTERS.most && CLASSES[bytes[end] ?? 0] === LETTER) end += 1;
  return end;
}

function endOfBetween(bytes: Uint8Array, from: number): number {
  let end = from;
  while (end - from < MOST_BETWEEN && CLASSES[bytes[end] ?? 0] === BETWEEN) end += 1;
  return end;
}

interface Budget {
  checks: number;
}

function* phrasesIn(words: readonly Word[], budget: Budget): Iterable<{ readonly start: number; readonly end: number }> {
  for (let first = 0; first + 12 <= words.length && budget.checks > 0; first += 1) {
    budget.checks -= LENGTHS.length;
    const length = LENGTHS.find((count) => first + count <= words.length && isPhrase(words, first, count));
    const [start, end] = [words[first]?.start, words[first + (length ?? 0) - 1]?.end];
    if (length === undefined || start === undefined || end === undefined) continue;
    yield { start, end };
    first += length - 1;
  }
}

/** Tells whether the last bits, one for each three words, are the beginning of the hash of all others. Words in order are a word list. */
function isPhrase(words: readonly Word[], first: number, count: number): boolean {
  const entropy = new Uint8Array((count * WORD_BITS * 32) / 33 / 8);
  let [bits, width, at, isSorted, last] = [0, 0, 0, true, -1];
  for (let index = first; index < first + count; index += 1) {
    const number = words[index]?.number ?? 0;
    isSorted &&= number > last;
    last = number;
    bits = ((bits << WORD_BITS) | number) & 0xf_ffff;
    width += WORD_BITS;
    while (width >= 8 && at < entropy.length) {
      width -= 8;
      entropy[at] = (bits >>> width) & 0xff;
      at += 1;
    }
  }
  if (isSorted) return false;
  const [sum = 0] = hash('sha256', entropy, 'buffer');
  return sum >>> (8 - width) === (bits & ((1 << width) - 1));
}
