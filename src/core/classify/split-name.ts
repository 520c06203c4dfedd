import { foldName } from '../registry/deceptive-names.ts';
import { remember } from '../remember.ts';
import { destroyingWords } from './destroys.ts';
import { parameterWords } from './parameter-words.ts';
import { nameWords, phraseWords } from './verbs.ts';
import { commandWords } from './runs-commands.ts';

/** Only a word with one of these may look like another that is spelt otherwise. */
const ODD = /[01I]|[^ -~]/;

/** Words that tell something, by what they look like and as they are. Made when they are first asked for. */
let known: { readonly byLook: ReadonlyMap<string, string>; readonly words: ReadonlySet<string> } | undefined;

/** Longer names are classified by their beginning: nobody means that many words, and names come from servers. */
export const MOST_NAME = 256;

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A word behind an acronym: its first capital is its own, as in `HTTPLog`, or the acronym's last, as in `SMSsend`. */
const BEHIND_ACRONYM = /(?<=\p{Lu})\p{Lu}[\p{Ll}\p{M}]+/gu;

/**
 * The words of a name in lower case: `getUser`, `get_user`, `get-user` and `GET user` are all `get`, `user`. What only looks like a word
 * that tells something, with letters of another script or width, digits for letters or what can't be seen in it, is that word.
 */
export const splitName = remember((name) => split(name.slice(0, MOST_NAME)), { most: 256, longest: MOST_NAME });

function split(name: string): readonly string[] {
  return name
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((part) => part !== '')
    .flatMap(splitPart);
}

function splitPart(part: string): readonly string[] {
  // `deIete` has no second word: its capital I is there for an l.
  const whole = plainWord(part);
  if (isKnownWord(whole)) return [whole];
  return part
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(BEHIND_ACRONYM, partAcronym)
    .split(' ')
    .map(plainWord);
}

function partAcronym(word: string): string {
  const shorter = word.slice(1);
  const isOfAcronym = !isKnownWord(plainWord(word)) && isKnownWord(plainWord(shorter));
  return isOfAcronym ? `${word.slice(0, 1)} ${shorter}` : ` ${word}`;
}

function knownWords(): NonNullable<typeof known> {
  if (known !== undefined) return known;
  const words = new Set([...nameWords(), ...phraseWords(), ...parameterWords(), ...commandWords(), ...destroyingWords()]);
  known = { words, byLook: new Map(Array.from(words, (word) => [foldName(word), word])) };
  return known;
}

/** The word that tells something and that this looks like, where there is one; else this in lower case. */
export function plainWord(word: string): string {
  const small = word.toLowerCase();
  if (!ODD.test(word) || knownWords().words.has(small)) return small;
  return knownWords().byLook.get(foldName(word)) ?? small;
}

/** Does the word tell something, in a name or of a parameter? @param word in lower case */
export function isKnownWord(word: string): boolean {
  return knownWords().words.has(word);
}
