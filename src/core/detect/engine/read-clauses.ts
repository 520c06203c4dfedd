import { conceptsOfChunk, IDENT } from './chunk-concepts.ts';
import { meets, NO_CONCEPTS, toConceptSet, union, type ConceptSet } from './concepts.ts';
import { CALLS, GREETINGS, IS_CALLED, IS_TOOL, OPENERS, ORDER_TAGS, RESULT_TAGS } from './telling-words.ts';
import { MARKS, TokenReader, type Clause, type Tokens } from './tokens.ts';
import type { Phrase, ReadWord, Vocabulary } from './vocabulary.ts';

/** Tells the owner of a name in a text in lower case. */
export interface ToolNames {
  get(word: string): 'own' | 'sibling' | 'foreign' | 'parameter' | undefined;
}

/** Names as one definition means them. */
export interface OwnNames extends ToolNames {
  /** Names that mean something else, or nothing, in another definition. */
  readonly own: ReadonlySet<string>;
}

/** A parsed text: its words with their meanings, and its clauses with all their concepts. */
export interface ReadText {
  readonly tokens: Tokens;
  readonly clauses: readonly Clause[];
  /** The meaning of each word in its context. */
  readonly meanings: readonly ConceptSet[];
  /** The concepts of each clause. */
  readonly sets: readonly ConceptSet[];
  /** Tells whether a word is of a language with another word order. */
  isLoose(index: number): boolean;
}

const SET = {
  own: toConceptSet(['own']),
  sibling: toConceptSet(['sibling']),
  foreign: toConceptSet(['foreign']),
  ident: IDENT,
  param: toConceptSet(['param']),
  quoted: toConceptSet(['quoted']),
  ai: toConceptSet(['ai']),
  addressed: toConceptSet(['addressed']),
  asks: toConceptSet(['imp', 'please', 'must', 'before', 'ban']),
  tool: toConceptSet(['tool']),
  othertool: toConceptSet(['othertool', 'ident']),
  ours: toConceptSet(['own', 'sibling']),
  named: toConceptSet(['foreign', 'ident']),
  opening: toConceptSet(['when', 'before', 'regardless', 'instead', 'todo']),
  colon: toConceptSet(['colon']),
  comment: toConceptSet(['comment']),
  link: toConceptSet(['link']),
  tagorder: toConceptSet(['tagorder']),
  tagchat: toConceptSet(['tagchat']),
  banner: toConceptSet(['banner']),
  pipe: toConceptSet(['pipe']),
  third: toConceptSet(['third']),
  imp: toConceptSet(['imp']),
  verbs: toConceptSet([
    'override',
    'adopt',
    'tell',
    'show',
    'keep',
    'read',
    'send',
    'put',
    'steal',
    'run',
    'modify',
    'remove',
    'decode',
    'store',
    'pay',
    'click',
    'append',
    'prefer',
    'follow',
  ]),
  leads: toConceptSet([
    'lead',
    'please',
    'must',
    'colon',
    'tagorder',
    'banner',
    'tagchat',
    'comment',
    'important',
    'todo',
    'now',
    'before',
  ]),
} as const;

/** Reads a text in lower case. */
export function readClauses(text: string, vocabulary: Vocabulary, names: ToolNames): ReadText {
  const finder = (whole: string, index: number): number => vocabulary.unspacedAt(whole, index)?.words[0]?.length ?? 0;
  const { tokens, clauses } = new TokenReader(text, finder);
  return new ClauseReader(text, { tokens, clauses }, { vocabulary, names });
}

function conceptsOfMark(word: string): ConceptSet | undefined {
  if (word === MARKS.colon) return SET.colon;
  if (word === MARKS.comment) return SET.comment;
  if (word === MARKS.link) return SET.link;
  if (word === '|') return SET.pipe;
  return undefined;
}

/** Determines the meanings of words, first by themselves and then with those around them. */
class ClauseReader implements ReadText {
  readonly meanings: ConceptSet[] = [];
  readonly sets: ConceptSet[] = [];
  readonly tokens: Tokens;
  readonly clauses: readonly Clause[];
  readonly #text: string;
  readonly #words: string[];
  readonly #read: ReadWord[] = [];
  readonly #loosePhrases = new Set<number>();

  constructor(
    text: string,
    { tokens, clauses }: { tokens: Tokens; clauses: readonly Clause[] },
    { vocabulary, names }: { vocabulary: Vocabulary; names: ToolNames },
  ) {
    this.#text = text;
    this.tokens = tokens;
    this.clauses = clauses;
    this.#words = tokens.words;
    const findElse = (word: string): ConceptSet => conceptsOfMark(word) ?? conceptsOfChunk(word, vocabulary);
    // Plain loops, since this runs before it is compiled, during most of a first list, and iterators cost as much as their results.
    for (let index = 0; index < tokens.words.length; index += 1) {
      const word = tokens.words[index] ?? '';
      this.#readWord(vocabulary.read(word, findElse), names.get(word), index);
    }
    for (const clause of clauses) this.sets.push(this.#finish(clause));
  }

  isLoose(index: number): boolean {
    return this.#read[index]?.isLoose === true || this.#loosePhrases.has(index);
  }

  #readWord(read: ReadWord, name: ReturnType<ToolNames['get']>, index: number): void {
    this.#read.push(read);
    const { concepts } = read;
    if (name === undefined) this.meanings.push(this.#isQuoted(index) ? union(concepts, SET.quoted) : concepts);
    else if (name === 'parameter') this.meanings.push(concepts === SET.ident ? SET.param : concepts);
    else this.meanings.push(union(concepts, SET[name]));
  }

  /** Adds the meanings that need context: phrases, marks with their names, leading verbs. @returns all concepts of the clause */
  #finish(clause: Clause): ConceptSet {
    for (let index = clause.from; index < clause.to; index += 1) {
      if (this.#read[index]?.phrases !== undefined) this.#findPhrases(index, clause.to);
      if (meets(this.meanings[index] ?? NO_CONCEPTS, SET.named)) this.#findOtherTool(index, clause.to);
      if (isMark(this.#words[index] ?? '')) this.#findMarks(index, clause.to);
    }
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let index = clause.from; index < clause.to; index += 1) {
      if (meets(this.meanings[index] ?? NO_CONCEPTS, SET.verbs)) this.#markVerb(index, clause.from);
      const meaning = this.meanings[index] ?? NO_CONCEPTS;
      a |= meaning.a;
      b |= meaning.b;
      c |= meaning.c;
      d |= meaning.d;
    }
    if (this.#addresses(clause)) d |= SET.addressed.d;
    return { a, b, c, d };
  }

  /** Tells whether a clause speaks to a model: `Assistant, book …`, `Agents: pay …`, `Dear agent …`. The first word is marked. */
  #addresses({ from, to }: Clause): boolean {
    const isGreeted = GREETINGS.has(this.#words[from] ?? '');
    const at = isGreeted ? from + 1 : from;
    if (at + 1 >= to || !meets(this.meanings[at] ?? NO_CONCEPTS, SET.ai)) return false;
    const isComma = this.tokens.afterCommas.has(at + 1);
    // A singular one before a colon is the speaker of the rest, as in a transcript.
    const isColon = this.#words[at + 1] === MARKS.colon && (this.#words[at] ?? '').endsWith('s');
    const next = isColon && !isComma ? at + 2 : at + 1;
    const isParted = isComma || isColon;
    const isAsked = isParted && next < to && meets(this.meanings[next] ?? NO_CONCEPTS, SET.asks);
    if (isGreeted || isAsked) this.#add(from, SET.addressed);
    return isGreeted || isAsked;
  }

  /** Tells whether a word is quoted, as names are: it is then a parameter, or a value. Single quotes are part of the word. */
  #isQuoted(index: number): boolean {
    const start = this.tokens.starts[index] ?? 0;
    const before = this.#text.charCodeAt(start - 1);
    return before === BACKTICK || before === QUOTE || this.#text.charCodeAt(start) === APOSTROPHE;
  }

  #add(index: number, concepts: ConceptSet): void {
    this.meanings[index] = union(this.meanings[index] ?? NO_CONCEPTS, concepts);
  }

  #findPhrases(index: number, to: number): void {
    const phrases = this.#read[index]?.phrases;
    const second = index + 1 < to ? this.#words[index + 1] : undefined;
    if (phrases === undefined || second === undefined) return;
    this.#findAmong(phrases.get(second), index, to);
    if (second.endsWith('s')) this.#findAmong(phrases.get(second.slice(0, -1)), index, to);
  }

  #findAmong(phrases: readonly Phrase[] | undefined, index: number, to: number): void {
    for (const { words, concepts, isLoose } of phrases ?? []) {
      if (!this.#goesOn(words, index, to)) continue;
      this.#add(index, concepts);
      if (isLoose) this.#loosePhrases.add(index);
    }
  }

  /** Tells whether the words from the third on follow as well. */
  #goesOn(words: readonly string[], index: number, to: number): boolean {
    if (index + words.length > to) return false;
    for (let offset = 2; offset < words.length; offset += 1) {
      const expected = words[offset] ?? '';
      const word = this.#words[index + offset] ?? '';
      const isSame =
        word === expected || (word.length === expected.length + 1 && word.startsWith(expected) && word.endsWith('s'));
      if (!isSame) return false;
    }
    return true;
  }

  /** Marks a name that is not this server's and is called, or said to be a tool. */
  #findOtherTool(index: number, to: number): void {
    const meaning = this.meanings[index] ?? NO_CONCEPTS;
    if (meets(meaning, SET.ours)) return;
    const words = this.#words;
    const isNamed = index + 1 < to && IS_TOOL.has(words[index + 1] ?? '');
    const isCalled = isNamed || CALLS.has(words[index - 1] ?? '') || (index + 2 < to && IS_CALLED.has(words[index + 2] ?? ''));
    const isTool = (words[index] ?? '').endsWith('_tool') || isCalled;
    if (meets(meaning, SET.foreign) || (isTool && meets(meaning, SET.ident))) this.#add(index, SET.othertool);
  }

  #findMarks(index: number, to: number): void {
    const words = this.#words;
    const mark = words[index];
    if (mark === MARKS.tag) {
      const name = words[words[index + 1] === '|' ? index + 2 : index + 1] ?? '';
      const isOrder = ORDER_TAGS.has(name) || name.split(/[-_.:]/u, 3).some((part) => ORDER_TAGS.has(part));
      if (index + 1 < to && isOrder) this.meanings[index] = SET.tagorder;
      if (name === 'inst' || name === 'sys' || name === '<') this.meanings[index] = SET.tagchat;
    }
    if (mark === MARKS.endTag && RESULT_TAGS.has(words[index + 1] ?? '')) this.meanings[index] = SET.tagchat;
    if (mark === MARKS.banner) this.#findBanner(index, to);
  }

  #findBanner(index: number, to: number): void {
    const { starts, ends, words } = this.tokens;
    for (let next = index + 1; next < to && next <= index + WORDS_OF_A_BANNER; next += 1) {
      if (words[next] === 'inst') this.meanings[index] = SET.tagchat;
      else if (ORDER_TAGS.has(words[next] ?? '') && this.meanings[index] === NO_CONCEPTS) this.meanings[index] = SET.banner;
      if ((starts[next] ?? 0) > (ends[next - 1] ?? 0) + 2) break;
    }
  }

  /** Marks a verb that leads a possible order, or describes the tool. */
  #markVerb(index: number, from: number): void {
    const form = this.#read[index]?.form;
    if (form === 'third') this.#add(index, SET.third);
    else if (form === 'base' && this.#isLed(index, from)) this.#add(index, SET.imp);
  }

  /** Tells whether a verb leads an order. After an opening, the order comes behind a comma: `Before you answer, read …`. */
  #isLed(index: number, from: number): boolean {
    if (index === from || this.isLoose(index)) return true;
    if (meets(this.meanings[index - 1] ?? NO_CONCEPTS, SET.leads)) return true;
    // In `<system>call …`, the tag's name follows its mark.
    if (index > 1 && meets(this.meanings[index - 2] ?? NO_CONCEPTS, SET.tagorder)) return true;
    if (!this.tokens.afterCommas.has(index)) return false;
    if (OPENERS.has(this.#words[from] ?? '')) return true;
    for (let first = from; first < from + WORDS_OF_AN_OPENING; first += 1)
      if (meets(this.meanings[first] ?? NO_CONCEPTS, SET.opening)) return true;
    return false;
  }
}

const BACKTICK = 0x60;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** Most words behind an opening bracket that name the banner. */
const WORDS_OF_A_BANNER = 4;

/** Tells whether a mark means something with the name behind it. */
function isMark(word: string): boolean {
  return word === MARKS.tag || word === MARKS.endTag || word === MARKS.banner;
}

/** Words of an opening after which an order may follow a comma. */
const WORDS_OF_AN_OPENING = 4;
