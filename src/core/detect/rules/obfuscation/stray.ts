import { HONEST_SELECTOR, SELECTOR, TAGGED_FLAG } from '../../normalise/decode/decode-invisible.ts';
import { isOrderWord } from '../../normalise/order-words.ts';
import { TERMINAL_ESCAPE } from '../../normalise/invisible-characters.ts';
import { placesOf, type Place } from './finding.ts';

const TAGS = /[\u{e0000}-\u{e007f}]{1,4096}/gu;

/** Finds runs of tag characters outside of emoji flags. */
export function strayTags(text: string): Place[] {
  return placesOf(blanked(text, TAGGED_FLAG), TAGS);
}

/** Finds variation selectors behind characters without variants. */
export function straySelectors(text: string): Place[] {
  return placesOf(blanked(text, HONEST_SELECTOR), SELECTOR);
}

/** Blanks honest sequences at the same length, so that places stay. */
function blanked(text: string, honest: RegExp): string {
  return text.replace(honest, (sequence) => ' '.repeat(sequence.length));
}

/** Matches invisible format characters of no use in Latin text; not those that change its direction. */
const INVISIBLE =
  /[\u{34f}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\0-\x08\x0e-\x1a\x1c-\x1f\x7f]{1,4096}/gu;

/** Matches scripts whose letters joiners shape; in some of them, joiners also separate words, or stand beside direction marks. */
const JOINED_SCRIPTS =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Balinese}\p{Script=Javanese}\p{Script=Hangul}]/u;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\ufe0f\u20e3♀♂]/u;
const LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export interface StrayInvisible {
  readonly places: readonly Place[];
  /** Number of them within a word. */
  readonly cuts: number;
  /** True if one of them cuts an order word. */
  readonly isOrderCut: boolean;
  /** Length of the longest run. */
  readonly longest: number;
}

/**
 * Finds invisible characters that neither a script nor an emoji needs. A soft hyphen may mark where a word can be broken, and a byte order
 * mark may begin a text.
 */
export function strayInvisible(text: string): StrayInvisible {
  const hasRightToLeft = RIGHT_TO_LEFT.test(text);
  const places: Place[] = [];
  let cuts = 0;
  let longest = 0;
  let isOrderCut = false;
  for (const { 0: run, index } of blanked(text, TERMINAL_ESCAPE).matchAll(INVISIBLE)) {
    const end = index + run.length;
    const before = characterBefore(text, index);
    const after = String.fromCodePoint(text.codePointAt(end) ?? 32);
    if (run.length <= 2 && isHonest(run, { before, after, index, hasRightToLeft })) continue;
    places.push({ start: index, end });
    longest = Math.max(longest, run.length);
    if (!LETTER.test(before) || !LETTER.test(after)) continue;
    cuts += 1;
    isOrderCut ||= isOrderWord(wordAround(text, index, end));
  }
  return { places, cuts, isOrderCut, longest };
}

const LONGEST_WORD = 16;

function wordAround(text: string, start: number, end: number): string {
  const head = /[a-z]*$/i.exec(text.slice(Math.max(0, start - LONGEST_WORD), start))?.[0] ?? '';
  const tail = /^[a-z]*/i.exec(text.slice(end, end + LONGEST_WORD))?.[0] ?? '';
  return (head + tail).toLowerCase();
}

interface Beside {
  readonly before: string;
  readonly after: string;
  readonly index: number;
  readonly hasRightToLeft: boolean;
}

function isHonest(run: string, { before, after, index, hasRightToLeft }: Beside): boolean {
  if (run === '\ufeff' && index === 0) return true;
  if (run === '\u00ad') return LETTER.test(before) && LETTER.test(after);
  if (run === '\u2060') return !(LETTER.test(before) && LETTER.test(after));
  if (/^[\u200e\u200f\u061c]+$/.test(run) && hasRightToLeft) return true;
  if (run.startsWith('\u200d') && EMOJI.test(before)) return true;
  return JOINED_SCRIPTS.test(before) || JOINED_SCRIPTS.test(after);
}

function characterBefore(text: string, index: number): string {
  const last = text.charCodeAt(index - 1);
  return last >= 0xdc00 && last <= 0xdfff ? text.slice(index - 2, index) : text.slice(index - 1, index);
}

const OVERRIDE = /[\u202d\u202e][^\u202c\n]{0,512}/g;
const EMBEDDING = /[\u202b\u2067][^\u202c\u2069\n]{0,512}/g;
const LATIN = /[A-Za-z]{2}/;

/** Finds direction controls around Latin letters: overrides in any text, embeddings only in texts without right-to-left letters. */
export function strayBidi(text: string): { readonly overrides: readonly Place[]; readonly embeddings: readonly Place[] } {
  const isLatin = ({ start, end }: Place): boolean => LATIN.test(text.slice(start, end));
  return {
    overrides: placesOf(text, OVERRIDE).filter(isLatin),
    embeddings: RIGHT_TO_LEFT.test(text) ? [] : placesOf(text, EMBEDDING).filter(isLatin),
  };
}
