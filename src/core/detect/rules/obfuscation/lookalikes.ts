import { beyondAscii } from '../../normalise/invisible-characters.ts';
import { findLookalikes } from '../../normalise/fold-confusables.ts';
import { isOrderWord } from '../../normalise/order-words.ts';
import { detection, placesOf, type FindHiding, type HidingFinding, type Seen } from './finding.ts';

const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Finds letters that look like others: of another script, fullwidth, mathematical. */
export const findLookalikeLetters: FindHiding = (seen) => {
  if (seen.normalised.isPrintable || !BEYOND_ASCII.test(seen.text)) return [];
  const styles = MAY_BE_STYLED.test(seen.text) ? [styled(seen, FULLWIDTH), styled(seen, MATHEMATICAL)] : [];
  const findings = [homoglyphs(seen), ...styles];
  return findings.filter((finding) => finding !== undefined).map((finding) => detection(seen, finding));
};

/** Matches Latin words with endings of another script, as honest texts in it have: `Dockerом`. */
const INFLECTED = /^[A-Za-z]{2,}[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]{1,4}$/u;
const FOREIGN_WORD = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]{4}/u;
/** Matches scientific symbols: a Greek letter beside a Latin one or two. */
const SYMBOL = /^(?=.{1,3}$)[A-Za-z]*[\u0370-\u03ff][A-Za-z]*$/;

function homoglyphs(seen: Seen): HidingFinding | undefined {
  const { text } = seen;
  const isForeign = FOREIGN_WORD.test(beyondAscii(text));
  // Folding keeps lengths, so positions are valid; fullwidth and styled letters have rules of their own.
  const words = findLookalikes(text).filter(({ start, folded, isMixed }) => {
    const word = text.slice(start, start + folded.length);
    return !(isMixed && isForeign && INFLECTED.test(word)) && !SYMBOL.test(word);
  });
  if (words.length === 0) return undefined;
  const isOrder = words.some(({ folded }) => isOrderWord(folded.toLowerCase()) || /^(?:important|system|all)$/i.test(folded));
  return {
    rule: 'homoglyph',
    severity: isOrder || words.length > 1 ? 'high' : 'medium',
    description: 'letters of another script that look like Latin ones, within Latin words: searches miss what a model reads',
    places: words.map(({ start, folded }) => ({ start, end: start + folded.length })),
  };
}

interface Style {
  readonly rule: string;
  readonly word: RegExp;
  /** Scripts whose honest texts have such letters. */
  readonly honest: RegExp;
  readonly description: string;
}

const FULLWIDTH: Style = {
  rule: 'fullwidth',
  word: /[\uff21-\uff3a\uff41-\uff5a]{2,100}/g,
  honest: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
  description: 'words in fullwidth letters in a text without Chinese, Japanese or Korean: searches miss what a model reads',
};

const MATHEMATICAL: Style = {
  rule: 'styled_letters',
  word: /[\u{1d400}-\u{1d7ff}\u24b6-\u24e9\u{1f130}-\u{1f189}\u1d00-\u1d2b]{4,100}/gu,
  honest: /(?!)/,
  description: 'words in mathematical or circled letters: searches miss what a model reads',
};

/** Matches the first UTF-16 units of both: a quick check. */
const MAY_BE_STYLED = /[\u1d00-\u1d2b\u24b6-\u24e9\uff21-\uff5a\ud835\ud83c]/;

const MANY_LETTERS = 12;

function styled({ text }: Seen, { rule, word, honest, description }: Style): HidingFinding | undefined {
  const places = placesOf(text, word);
  if (places.length === 0) return undefined;
  const words = places.map(({ start, end }) => text.slice(start, end).normalize('NFKC').toLowerCase());
  const isOrder = words.some(isOrderWord);
  if (!isOrder && honest.test(text)) return undefined;
  const letters = words.reduce((sum, { length }) => sum + length, 0);
  if (!isOrder && letters < FEWEST_LETTERS) return undefined;
  return { rule, severity: isOrder || letters >= MANY_LETTERS ? 'high' : 'medium', description, places };
}

/** Fewest letters that count: abbreviations and headings are shorter. */
const FEWEST_LETTERS = 5;
