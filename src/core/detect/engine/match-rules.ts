import {
  CONCEPTS,
  isEmpty,
  meets,
  NO_CONCEPTS,
  toConceptSet,
  union,
  type Concept,
  type ConceptSet,
  weightOf,
} from './concepts.ts';
import type { ReadText } from './read-clauses.ts';
import type { Rule, Step } from './rule.ts';
import type { Clause } from './tokens.ts';

/** A rule's match: the words from `first` to `last`, by their indices. */
export interface Hit {
  readonly rule: Rule;
  readonly clause: number;
  readonly first: number;
  readonly last: number;
  /** From 0 to 1: lower if the words around speak of examples, or of guarding against it. */
  readonly share: number;
}

const WORDS_BEFORE = 3;
const WORDS_OF_VOICE = 6;
const SHARE_IN_OTHER_VOICE = 0.5;
/** Most words that a match may span in free order. */
const WORDS_WITHOUT_ORDER = 14;

/** Text about examples, or about what others do, gives no orders. */
const GUARD = toConceptSet(['guard']);
const EXAMPLE = toConceptSet(['example']);

/** Indexes rules by two concepts that each of their ways needs, so that a clause is only compared with rules that it could match. */
export class RuleIndex {
  readonly #rules: readonly Rule[];
  /** Two sets of four numbers for each rule. */
  readonly #keys: Int32Array;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.#keys = Int32Array.from(rules.flatMap(keysOf));
  }

  /** The rules whose two keys the clause has. */
  among({ a, b, c, d }: ConceptSet): readonly Rule[] {
    const keys = this.#keys;
    const found: Rule[] = [];
    for (let at = 0; at < keys.length; at += NUMBERS) {
      if (((key(keys, at) & a) | (key(keys, at + 1) & b) | (key(keys, at + 2) & c) | (key(keys, at + 3) & d)) === 0) continue;
      if (((key(keys, at + 4) & a) | (key(keys, at + 5) & b) | (key(keys, at + 6) & c) | (key(keys, at + 7) & d)) === 0) continue;
      const rule = this.#rules[at / NUMBERS];
      if (rule !== undefined) found.push(rule);
    }
    return found;
  }
}

/** Numbers of each rule's keys. */
const NUMBERS = 8;

function key(keys: Int32Array, at: number): number {
  return keys[at] ?? 0;
}

function keysOf({ ways }: Rule): readonly number[] {
  let rarest = NO_CONCEPTS;
  let next = NO_CONCEPTS;
  for (const { needs } of ways) {
    const [first, second] = twoRarest(needs);
    rarest = union(rarest, first);
    next = union(next, second);
  }
  return [rarest.a, rarest.b, rarest.c, rarest.d, next.a, next.b, next.c, next.d];
}

/** The two rarest needs; the same one twice if there is only one. */
function twoRarest(needs: readonly ConceptSet[]): readonly [ConceptSet, ConceptSet] {
  const [first = NO_CONCEPTS, second = first] = needs.toSorted((one, other) => weightOf(one, WEIGHTS) - weightOf(other, WEIGHTS));
  return [first, second];
}

/** Occurrences of a concept per thousand clauses of honest texts, if at least ten. They only affect how fast rules are skipped. */
const OFTEN: Readonly<Partial<Record<Concept, number>>> = {
  lead: 191,
  imp: 170,
  param: 123,
  read: 112,
  data: 98,
  run: 81,
  put: 77,
  impersonal: 65,
  keep: 63,
  words: 59,
  this: 58,
  ident: 57,
  prefer: 52,
  colon: 48,
  when: 46,
  third: 45,
  append: 44,
  tool: 43,
  output: 41,
  files: 37,
  send: 33,
  store: 32,
  place: 31,
  full: 29,
  ask: 29,
  answer: 28,
  youself: 28,
  neg: 28,
  check: 26,
  must: 26,
  enter: 25,
  only: 24,
  click: 24,
  modify: 24,
  user: 23,
  safety: 23,
  repeat: 22,
  request: 21,
  remove: 20,
  follow: 20,
  command: 20,
  system: 18,
  call: 18,
  undo: 16,
  away: 16,
  prior: 15,
  confirm: 15,
  token: 15,
  path: 14,
  link: 14,
  ban: 13,
  before: 12,
  ai: 11,
  example: 11,
  note: 11,
  show: 11,
};

const WEIGHTS = CONCEPTS.map((concept) => OFTEN[concept] ?? 0);

/** All matches of the rules in a text, at most one for each clause and rule. Takes time linear in the text. */
export function matchRules(read: ReadText, rules: RuleIndex): readonly Hit[] {
  const hits: Hit[] = [];
  for (let index = 0; index < read.clauses.length; index += 1) {
    const clause = read.clauses[index];
    const present = read.sets[index] ?? NO_CONCEPTS;
    if (clause === undefined || isEmpty(present)) continue;
    for (const rule of rules.among(present)) {
      const found = findWay(read, clause, { rule, present });
      if (found !== undefined) hits.push({ rule, clause: index, ...found, share: shareAt(read, clause, found.first) });
    }
  }
  return hits;
}

interface Span {
  readonly first: number;
  readonly last: number;
}

interface Search {
  readonly rule: Rule;
  /** All concepts of the clause. */
  readonly present: ConceptSet;
}

function findWay(read: ReadText, clause: Clause, { rule, present }: Search): Span | undefined {
  const { ways } = rule;
  for (let index = 0; index < ways.length; index += 1) {
    const way = ways[index];
    if (way === undefined || !meetsAll(present, way.needs)) continue;
    const { steps } = way;
    const span =
      near(read, findSteps(read, clause, steps), steps) ??
      (isWithoutOrder(read, clause) ? near(read, findWithoutOrder(read, clause, steps), steps) : undefined);
    if (span === undefined) continue;
    if (!isEmpty(rule.unless) && meets(present, rule.unless) && stands(read, clause, rule.unless, span)) continue;
    return span;
  }
  return undefined;
}

/** In unspaced scripts only known words are counted, so characters are counted instead. */
const CHARACTERS_A_STEP = 7;
const CHARACTERS_AROUND = 6;
/** U+2FFF: kana, Han and Hangul come behind it. */
const LAST_BEFORE_UNSPACED = 0x2fff;

function near({ tokens }: ReadText, span: Span | undefined, steps: readonly Step[]): Span | undefined {
  if (span === undefined) return undefined;
  let characters = 0;
  let isUnspaced = isWrittenWithoutSpaces(tokens.words[span.first]);
  for (let index = span.first + 1; index <= span.last; index += 1) {
    characters += (tokens.starts[index] ?? 0) - (tokens.ends[index - 1] ?? 0);
    isUnspaced ||= isWrittenWithoutSpaces(tokens.words[index]);
  }
  return isUnspaced && characters > CHARACTERS_AROUND + CHARACTERS_A_STEP * (steps.length - 1) ? undefined : span;
}

function isWrittenWithoutSpaces(word: string | undefined): boolean {
  return (word?.charCodeAt(0) ?? 0) > LAST_BEFORE_UNSPACED;
}

function stands({ meanings }: ReadText, { from }: Clause, concepts: ConceptSet, { first, last }: Span): boolean {
  for (let index = Math.max(from, first - WORDS_BEFORE); index <= last; index += 1) {
    if (meets(meanings[index] ?? NO_CONCEPTS, concepts)) return true;
  }
  return false;
}

function fits(set: ConceptSet, { all, none }: Step): boolean {
  return meetsAll(set, all) && !meets(set, none);
}

/** A plain loop, since this runs for each clause and way. */
function meetsAll(set: ConceptSet, needs: readonly ConceptSet[]): boolean {
  for (let index = 0; index < needs.length; index += 1) if (!meets(set, needs[index] ?? NO_CONCEPTS)) return false;
  return true;
}

/** Finds the steps in order. It only keeps the latest place of each step: anything that can follow an earlier place can follow it too. */
function findSteps({ meanings }: ReadText, { from, to }: Clause, steps: readonly Step[]): Span | undefined {
  const reached: number[] = [];
  const starts: number[] = [];
  const last = steps.length - 1;
  for (let index = from; index < to; index += 1) {
    const set = meanings[index] ?? NO_CONCEPTS;
    if (isEmpty(set)) continue;
    for (let step = last; step >= 0; step -= 1) {
      const rule = steps[step];
      if (rule === undefined || !fits(set, rule)) continue;
      const before = reached[step - 1];
      if (step > 0 && (before === undefined || index - before - 1 > rule.gap)) continue;
      reached[step] = index;
      starts[step] = step === 0 ? index : (starts[step - 1] ?? index);
      if (step === last) return { first: starts[step] ?? index, last: index };
    }
  }
  return undefined;
}

function findWithoutOrder({ meanings }: ReadText, { from, to }: Clause, steps: readonly Step[]): Span | undefined {
  const latest: number[] = [];
  for (let index = from; index < to; index += 1) {
    const set = meanings[index] ?? NO_CONCEPTS;
    if (isEmpty(set)) continue;
    let isNew = false;
    for (const [step, rule] of steps.entries()) {
      if (!fits(set, rule)) continue;
      latest[step] = index;
      isNew = true;
    }
    if (!isNew) continue;
    const places = steps.map((_, step) => latest[step] ?? -1);
    const first = Math.min(...places);
    if (first >= 0 && index - first <= WORDS_WITHOUT_ORDER && new Set(places).size === places.length)
      return { first, last: index };
  }
  return undefined;
}

/** Tells whether a clause has two words of languages with another word order. */
function isWithoutOrder(read: ReadText, { from, to }: Clause): boolean {
  let count = 0;
  for (let index = from; index < to && count < 2; index += 1) if (read.isLoose(index)) count += 1;
  return count > 1;
}

function shareAt({ meanings }: ReadText, { from }: Clause, first: number): number {
  for (let index = Math.max(from, first - WORDS_OF_VOICE); index < first; index += 1) {
    const set = meanings[index] ?? NO_CONCEPTS;
    if (meets(set, GUARD) || (index >= first - WORDS_BEFORE && meets(set, EXAMPLE))) return SHARE_IN_OTHER_VOICE;
  }
  return 1;
}
