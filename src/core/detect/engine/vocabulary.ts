import { LEFT_OUT } from './tokens.ts';
import { NO_CONCEPTS, toConceptSet, union, type ConceptSet } from './concepts.ts';

/** The meaning of a word. */
export interface Word {
  readonly concepts: ConceptSet;
  /** `base`: the form of orders; `third`: `sends`; `other`: any other form, or no verb. */
  readonly form: 'base' | 'third' | 'other';
  /** True for a language with another word order. */
  readonly isLoose: boolean;
}

/** A word of a text, with its own meaning and its phrases. */
export interface ReadWord extends Word {
  readonly phrases: Phrases | undefined;
}

/** Several words that mean something together. */
export interface Phrase {
  readonly words: readonly string[];
  readonly concepts: ConceptSet;
  readonly isLoose: boolean;
}

/** Phrases that begin with the same word, by their second one, the longest first. */
export type Phrases = ReadonlyMap<string, readonly Phrase[]>;

type WordLists = Readonly<Partial<Record<string, string>>>;

interface Known {
  concepts: ConceptSet;
  isLoose: boolean;
}

/** Most remembered words: hostile texts may contain any number of different ones. */
const MOST_REMEMBERED = 8192;
const LONGEST_WORD = 40;
const SHORTEST_PREFIX = 3;
/** U+2FFF: kana, Han and Hangul come behind it. */
const LAST_BEFORE_UNSPACED = 0x2fff;

const UNKNOWN: Word = { concepts: NO_CONCEPTS, form: 'other', isLoose: false };

/** All words and phrases with their meanings. */
export class Vocabulary {
  readonly #words = new Map<string, Known>();
  readonly #prefixes = new Map<string, Known>();
  readonly #phrases = new Map<string, Map<string, Phrase[]>>();
  readonly #unspaced = new Map<string, Phrase[]>();
  readonly #remembered = new Map<string, Word>();
  readonly #read = new Map<string, ReadWord>();

  constructor(english: WordLists, spaced: readonly WordLists[], unspaced: WordLists) {
    this.#addAll(english, false);
    for (const lists of spaced) this.#addAll(lists, true);
    for (const [concept, list] of Object.entries(unspaced)) {
      const concepts = toConceptSet(concept.split(' '));
      for (const text of (list ?? '').toLowerCase().split('|')) this.#addUnspaced(text, concepts);
    }
    for (const list of this.#unspaced.values()) list.sort((one, other) => longest(other) - longest(one));
    for (const phrases of this.#phrases.values())
      for (const list of phrases.values()) list.sort((one, other) => other.words.length - one.words.length);
  }

  /** The meaning of a word in lower case, with any of the common endings. */
  look(word: string): Word {
    const remembered = this.#remembered.get(word);
    if (remembered !== undefined) return remembered;
    if (word.length > LONGEST_WORD) return UNKNOWN;
    const found = this.#find(word);
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(word, found);
    return found;
  }

  /**
   * The meaning of a text's word in lower case, without its context; remembered as well.
   *
   * @param findElse gives the concepts of a word that is in no list
   */
  read(word: string, findElse: (word: string) => ConceptSet): ReadWord {
    const remembered = this.#read.get(word);
    if (remembered !== undefined) return remembered;
    const read = this.#readWord(word, findElse);
    if (this.#read.size >= MOST_REMEMBERED) this.#read.clear();
    if (word.length <= LONGEST_WORD) this.#read.set(word, read);
    return read;
  }

  /** Phrases that begin with this word. */
  phrasesFrom(word: string): Phrases | undefined {
    return this.#phrases.get(word);
  }

  /** The longest phrase of an unspaced language that begins there. */
  unspacedAt(text: string, index: number): Phrase | undefined {
    return this.#unspaced.get(text.charAt(index))?.find(({ words }) => text.startsWith(words[0] ?? '', index));
  }

  #readWord(word: string, findElse: (word: string) => ConceptSet): ReadWord {
    const phrases = this.phrasesFrom(word);
    const unspaced = word.charCodeAt(0) > LAST_BEFORE_UNSPACED ? this.unspacedAt(word, 0) : undefined;
    if (unspaced !== undefined) return { concepts: unspaced.concepts, form: 'base', isLoose: true, phrases };
    const { concepts, form, isLoose } = this.look(word.endsWith("'s") ? word.slice(0, -2) : word);
    return { concepts: concepts === NO_CONCEPTS ? findElse(word) : concepts, form, isLoose, phrases };
  }

  #addAll(lists: WordLists, isLoose: boolean): void {
    for (const [concept, list] of Object.entries(lists)) {
      const concepts = toConceptSet(concept.split(' '));
      for (const entry of (list ?? '').toLowerCase().split('|')) this.#add(entry, concepts, isLoose);
    }
  }

  #add(entry: string, concepts: ConceptSet, isLoose: boolean): void {
    const words = entry
      .replaceAll('-', ' ')
      .split(' ')
      .filter((word) => word !== '' && !LEFT_OUT.has(word));
    if (words.length > 1) this.#addPhrase({ words, concepts, isLoose });
    else if (entry.endsWith('*')) addTo(this.#prefixes, entry.slice(0, -1), concepts, isLoose);
    else addTo(this.#words, entry, concepts, isLoose);
  }

  #addPhrase(phrase: Phrase): void {
    const [first = '', second = ''] = phrase.words;
    const phrases = this.#phrases.get(first) ?? new Map<string, Phrase[]>();
    this.#phrases.set(first, phrases);
    const list = phrases.get(second);
    if (list === undefined) phrases.set(second, [phrase]);
    else list.push(phrase);
  }

  #addUnspaced(text: string, concepts: ConceptSet): void {
    const list = this.#unspaced.get(text.charAt(0)) ?? [];
    const same = list.findIndex(({ words }) => words[0] === text);
    const before = list[same]?.concepts ?? NO_CONCEPTS;
    const phrase = { words: [text], concepts: union(before, concepts), isLoose: true };
    if (same === -1) list.push(phrase);
    else list[same] = phrase;
    this.#unspaced.set(text.charAt(0), list);
  }

  #find(word: string): Word {
    let found: Word | undefined;
    const exact = this.#words.get(word);
    if (exact !== undefined) found = { ...exact, form: 'base' };
    for (const [stem, form] of stemsOf(word)) {
      const known = this.#words.get(stem);
      // Endings are English: `pass` is no plural of French `pas`.
      if (known === undefined || known.isLoose) continue;
      found = {
        concepts: union(found?.concepts ?? NO_CONCEPTS, known.concepts),
        isLoose: false,
        form,
      };
    }
    if (found !== undefined) return found;
    for (let length = word.length; length >= SHORTEST_PREFIX; length -= 1) {
      const known = this.#prefixes.get(word.slice(0, length));
      if (known !== undefined) return { ...known, form: 'base' };
    }
    return UNKNOWN;
  }
}

/** The possible base forms of a word, by its ending. */
function stemsOf(word: string): readonly (readonly [string, Word['form']])[] {
  if (word.length < 4) return [];
  if (word.endsWith('ies')) return [[`${word.slice(0, -3)}y`, 'third']];
  if (word.endsWith('es'))
    return [
      [word.slice(0, -1), 'third'],
      [word.slice(0, -2), 'third'],
    ];
  if (word.endsWith('s')) return [[word.slice(0, -1), 'third']];
  if (word.endsWith('ied')) return [[`${word.slice(0, -3)}y`, 'other']];
  // `seed` is no form of `see`.
  if (word.endsWith('eed')) return [];
  if (word.endsWith('ed')) return bare(word.slice(0, -2), word.slice(0, -1));
  if (word.endsWith('ing')) return bare(word.slice(0, -3), `${word.slice(0, -3)}e`);
  return [];
}

/** The forms without the ending, with an `e` instead, and without a doubled last letter: `sending`, `storing`, `dropping`. */
function bare(short: string, long: string): readonly (readonly [string, Word['form']])[] {
  const isDoubled = short.length > 2 && short.at(-1) === short.at(-2);
  return [[short, 'other'], [long, 'other'], ...(isDoubled ? [[short.slice(0, -1), 'other'] as const] : [])];
}

function longest(phrase: Phrase): number {
  return phrase.words[0]?.length ?? 0;
}

function addTo(map: Map<string, Known>, key: string, concepts: ConceptSet, isLoose: boolean): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, { concepts, isLoose });
  else map.set(key, { concepts: union(known.concepts, concepts), isLoose: known.isLoose && isLoose });
}
