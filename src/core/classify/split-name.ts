import { foldName } from '../registry/deceptive-names.ts';
import { remember } from '../remember.ts';
import { destroyingWords } from './destroys.ts';
import { parameterWords } from './parameter-words.ts';
import { nameWords, phraseWords } from './verbs.ts';
import { commandWords } from './runs-commands.ts';

/** Only a word with one of these characters may imitate another. */
const ODD = /[01I]|[^ -~]/;

/** The known words, as they are and by look. Each is created on first use, and most names need neither. */
let known: ReadonlySet<string> | undefined;
let byLook: ReadonlyMap<string, string> | undefined;

/** Names of agents' own tools that join their words. */
const JOINED: ReadonlyMap<string, readonly string[]> = new Map([
  ['webfetch', ['web', 'fetch']],
  ['websearch', ['web', 'search']],
  ['multiedit', ['multi', 'edit']],
]);

/** Longer names are classified by their beginning: nobody needs that many words, and names come from servers. */
export const MOST_NAME = 256;

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Matches a word behind an acronym: its first capital is its own, as in `HTTPLog`, or the acronym's last, as in `SMSsend`. */
const BEHIND_ACRONYM = /(?<=\p{Lu})\p{Lu}[\p{Ll}\p{M}]+/gu;

/**
 * Splits a name into words in lower case: `getUser`, `get_user`, `get-user` and `GET user` are all `get`, `user`. A word that only looks
 * like a known one, with letters of another script or width, digits for letters or invisible characters, becomes that word.
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
  const whole = plainWord(part);
  const spaced = part.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(BEHIND_ACRONYM, partAcronym);
  // `deIete` has no second word: its capital I imitates an l.
  const words = spaced === part || isKnownWord(whole) ? [whole] : spaced.split(' ').map(plainWord);
  return words.flatMap((word) => JOINED.get(word) ?? [word]);
}

function partAcronym(word: string): string {
  const shorter = word.slice(1);
  const isOfAcronym = !isKnownWord(plainWord(word)) && isKnownWord(plainWord(shorter));
  return isOfAcronym ? `${word.slice(0, 1)} ${shorter}` : ` ${word}`;
}

function knownWords(): ReadonlySet<string> {
  return (known ??= new Set([...nameWords(), ...phraseWords(), ...parameterWords(), ...commandWords(), ...destroyingWords()]));
}

/** The known word that this one looks like, if there is one; otherwise this one in lower case. */
export function plainWord(word: string): string {
  const small = word.toLowerCase();
  if (!ODD.test(word) || knownWords().has(small)) return small;
  byLook ??= new Map(Array.from(knownWords(), (each) => [foldName(each), each]));
  return byLook.get(foldName(word)) ?? small;
}

/** Tells whether a word has a meaning in names of tools or parameters. @param word in lower case */
export function isKnownWord(word: string): boolean {
  return knownWords().has(word);
}
