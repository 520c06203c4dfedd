import { beyondAscii } from './invisible-characters.ts';
import { FOREIGN_LOOKALIKES, isCloseLookalike, LATIN_LOOKALIKES } from './confusables.ts';

/** A word that looks Latin but is not spelt in Latin letters. */
export interface Lookalike {
  readonly start: number;
  /** Its Latin look-alike, of the same length. */
  readonly folded: string;
  /** True for letters of another script among Latin ones, and for small capitals; false if all of it is of the other script. */
  readonly isMixed: boolean;
}

const CANDIDATE = new RegExp(`[${[...FOREIGN_LOOKALIKES.keys(), ...LATIN_LOOKALIKES.keys()].join('')}]`, 'iu');

/** Matches words in the scripts that have letters in common; a longer run is read in parts. */
const WORD =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]{1,200}/gu;

const PLAIN = /^[A-Za-z]*$/;
const LATIN = /\p{Script=Latin}/u;

/** Fewest letters of look-alike words that count beside honest words of their script. */
const FEWEST_LETTERS = 4;

/** The text with the words folded that `findLookalikes` finds, of the same length. */
export function foldConfusables(text: string): string {
  const words = findLookalikes(text);
  if (words.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, folded } of words) {
    parts.push(text.slice(at, start), folded);
    at = start + folded.length;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/**
 * Finds words that mix Latin letters with look-alikes of other scripts, and words of look-alikes alone among Latin words. Honest words of
 * other scripts are skipped: some consist of look-alikes only, but they stand among others that do not.
 *
 * @param text after NFKC, in its own case
 * @returns the words in order
 */
export function findLookalikes(text: string): Lookalike[] {
  if (!CANDIDATE.test(beyondAscii(text))) return [];
  const found: Lookalike[] = [];
  const undecided: Lookalike[][] = [];
  let isForeign = false;
  let before: 'latin' | 'foreign' | undefined;
  let run: Lookalike[] = [];
  const endRun = (after: 'latin' | 'foreign' | undefined): void => {
    if (run.length > 0 && before !== 'foreign' && after !== 'foreign' && (before ?? after) !== undefined) undecided.push(run);
    run = [];
    before = after;
  };
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (PLAIN.test(word)) {
      endRun('latin');
      continue;
    }
    const { kind, folded } = read(word);
    if (kind === 'lookalike') run.push({ start: index, folded, isMixed: false });
    else {
      endRun(kind === 'foreign' ? 'foreign' : 'latin');
      isForeign ||= kind === 'foreign';
      if (kind === 'mixed') found.push({ start: index, folded, isMixed: true });
    }
  }
  endRun(undefined);
  for (const words of undecided) if (isDisguise(words, isForeign)) for (const word of words) found.push(word);
  return found.sort((a, b) => a.start - b.start);
}

/** Tells whether look-alike words are a disguise. A letter or two between Latin words may be a foreign preposition, or a symbol. */
function isDisguise(words: readonly Lookalike[], isForeign: boolean): boolean {
  const letters = words.reduce((sum, { folded }) => sum + folded.length, 0);
  return letters >= FEWEST_LETTERS || (!isForeign && letters > 1);
}

/** Units and symbols (`kΩ`) mix letters of two scripts. */
const LONGEST_SYMBOL = 3;

type Kind = 'latin' | 'foreign' | 'lookalike' | 'mixed';

function read(word: string): { readonly kind: Kind; readonly folded: string } {
  let folded = '';
  let latin = 0;
  let foreign = 0;
  let unusual = 0;
  let isClose = true;
  for (const letter of word) {
    const look = lookOf(letter);
    const shape = LATIN_LOOKALIKES.get(letter) ?? LATIN_LOOKALIKES.get(letter.toLowerCase());
    if (look !== undefined) {
      foreign += 1;
      isClose &&= isCloseLookalike(FOREIGN_LOOKALIKES.has(letter) ? letter : letter.toLowerCase());
    } else if (shape !== undefined) unusual += 1;
    else if (LATIN.test(letter)) latin += 1;
    else return { kind: 'foreign', folded: word };
    folded += look ?? shape ?? letter;
  }
  if (foreign === 0) return isSmallCapitals(folded, unusual) ? { kind: 'mixed', folded } : { kind: 'latin', folded: word };
  if (latin + unusual > 0)
    return isClose || foreign > 1 || word.length > LONGEST_SYMBOL ? { kind: 'mixed', folded } : { kind: 'latin', folded: word };
  return isClose ? { kind: 'lookalike', folded } : { kind: 'foreign', folded: word };
}

/** Tells whether a word is in small capitals. Phonetic words also have letters without a plain look-alike. */
function isSmallCapitals(folded: string, unusual: number): boolean {
  return unusual > 0 && folded.length > 2 && PLAIN.test(folded);
}

/** The look-alike of a letter. A capital without one uses that of its small letter, which it becomes. */
function lookOf(letter: string): string | undefined {
  const look = FOREIGN_LOOKALIKES.get(letter) ?? FOREIGN_LOOKALIKES.get(letter.toLowerCase());
  if (look !== undefined || letter < '\u0370' || letter > '\u1fff') return look;
  const [first = ''] = letter.toLowerCase().normalize('NFD');
  return first === letter ? undefined : FOREIGN_LOOKALIKES.get(first);
}
