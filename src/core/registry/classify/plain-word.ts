import { foldName } from '../look-alike.ts';
import { destroyingWords } from './destroys.ts';
import { parameterWords } from './parameter-words.ts';
import { phraseWords } from './phrases.ts';
import { commandWords } from './runs-commands.ts';
import { nameWords } from './verbs.ts';

/** Only a word with one of these may look like another that is spelt otherwise. */
const ODD = /[01I]|[^ -~]/;

/** Words that tell something, by what they look like and as they are. Made when they are first asked for. */
let known: { readonly byLook: ReadonlyMap<string, string>; readonly words: ReadonlySet<string> } | undefined;

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
