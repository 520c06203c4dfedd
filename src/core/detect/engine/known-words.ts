import { ENGLISH } from '../words/english.ts';
import { FURTHER_LANGUAGES } from '../words/further-languages.ts';
import { WRITTEN_WITH_SPACES, WRITTEN_WITHOUT_SPACES } from '../words/languages.ts';
import { Vocabulary } from './vocabulary.ts';

let vocabulary: Vocabulary | undefined;

/** All words that rules are made of. Made when it is first asked for, as it takes some milliseconds. */
export function knownWords(): Vocabulary {
  vocabulary ??= new Vocabulary(ENGLISH, [WRITTEN_WITH_SPACES, FURTHER_LANGUAGES], WRITTEN_WITHOUT_SPACES);
  return vocabulary;
}
