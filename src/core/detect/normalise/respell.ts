import { isOrderLike, isOrderWord, orderWordIn } from './order-words.ts';
import { type OtherReading, readOtherwise } from './read-otherwise.ts';

/**
 * Matches a word with digits, signs or accents for letters, up to 24 characters of it. The search starts at the first of these, with
 * letters in front: most words have none, and are skipped.
 */
const ODD_WORD =
  /(?=[0-9@$!|+\u00df-\u024f\u1e00-\u1eff])(?<=(?<![a-z0-9@$!|+\u00df-\u024f\u1e00-\u1eff])(?<front>[a-z]{0,20}))[0-9@$!|+\u00df-\u024f\u1e00-\u1eff][a-z0-9@$!|+\u00df-\u024f\u1e00-\u1eff]{1,24}/g;
/** Matches such a sign beside a letter: most digits stand alone, and replace no letter. */
const IS_ODD = /[a-z][0-9@$!|+\u00df-\u024f\u1e00-\u1eff]|[0-9@$!|+\u00df-\u024f\u1e00-\u1eff][a-z]/;
/** Words of other languages that look like English ones without their accents. */
const HONEST: ReadonlySet<string> = new Set(['exécute', 'ignoré']);
const HAS_LETTER = /[a-z]/;
const CLOSING = /[!|+]+$/;

/**
 * The normalised text with order words in their usual spelling, or the surroundings of these words; undefined if none is spelt otherwise.
 */
export function respell(plain: string): string | undefined {
  if (!IS_ODD.test(plain)) return undefined;
  const parts = otherReadings(plain, ODD_WORD, (word) => {
    if (word.length < 4 || HONEST.has(word) || !HAS_LETTER.test(word)) return word;
    return orderWordIn(word) ?? orderWordIn(word.replace(CLOSING, '')) ?? word;
  });
  return parts.length === 0 ? undefined : readOtherwise(plain, parts);
}

const SPACED = /(?<![^\s"'(])[a-z](?:([ .\-_*])[a-z])(?:\1[a-z]){2,200}(?![^\s"'.,!?)])/gi;

/** Matches a hyphenated word, as at a line's end; its first part stands in front, as hyphens are found faster than words. */
const HYPHENED = /(?<=(?<![a-z-])(?<front>[a-z]{1,10}))(?:-[a-z]{1,10}){1,4}(?![a-z-])/gi;
/** A single one may be honest spelling (`by-pass`). */
const FEWEST_HYPHENED = 2;

/** Reads `ig-nore` and `in-struc-tions` as words, like `respell`; undefined if fewer than two order words result. */
export function joinHyphened(text: string): string | undefined {
  if (!text.includes('-')) return undefined;
  const parts = otherReadings(text, HYPHENED, (hyphened) => {
    const word = hyphened.replaceAll('-', '');
    return isOrderWord(word.toLowerCase()) ? word : hyphened;
  });
  return parts.length < FEWEST_HYPHENED ? undefined : readOtherwise(text, parts);
}

/**
 * Reads `i g n o r e a l l` as words, like `respell`; undefined if no order word results. Takes the text as sent, whose runs of spaces
 * separate the words.
 */
export function closeUp(text: string): string | undefined {
  const parts = otherReadings(text, SPACED, (spaced) => spaced.replaceAll(spaced.charAt(1), ''));
  return parts.some((part) => isOrderWord(part.text.toLowerCase())) ? readOtherwise(text, parts) : undefined;
}

/** Matches a word with HTML tags inside, which nobody sees; its first part stands in front, as with hyphens. */
const TAGGED =
  /(?<=(?<![a-z<])(?<front>[a-z]{1,12}))(?:(?:<\/?[a-z][a-z0-9]{0,10}(?:\s[^<>]{0,80})?\/?>){1,4}[a-z]{1,12}){1,6}(?![a-z])/gi;
const TAGS = /<[^<>]*>/g;

/** Reads `ig<b></b>nore` as a word, like `respell`; undefined if no order word results. */
export function untag(text: string): string | undefined {
  if (!text.includes('>')) return undefined;
  const parts = otherReadings(text, TAGGED, (tagged) => {
    const word = tagged.replaceAll(TAGS, '');
    return isOrderWord(word.toLowerCase()) ? word : tagged;
  });
  return parts.length === 0 ? undefined : readOtherwise(text, parts);
}

/** Matches at least four words joined like identifiers and paths: found by their joints, with the first word in front. */
const JOINED =
  /(?=[_./\\][A-Za-z]|[A-Z][a-z])(?<=[A-Za-z])(?<=(?<![\w/.\\~-])(?<front>[A-Za-z]{1,20}))(?:(?:[_./\\][A-Za-z]{1,20}){3,40}|(?<=[a-z])(?:[A-Z][a-z]{1,19}){3,40})(?![A-Za-z])/g;
const JOINTS = /[_./\\]|(?<=[a-z])(?=[A-Z])/g;

/** Reads `ignore_all_previous_rules` and `ignoreAllPreviousRules` as words, without their surroundings; undefined if no order results. */
export function partJoined(text: string): string | undefined {
  const parts = otherReadings(text, JOINED, (joined) => {
    const words = joined.replaceAll(JOINTS, ' ');
    return isOrderLike(words.toLowerCase()) ? words : joined;
  });
  return parts.length === 0 ? undefined : parts.map((part) => part.text).join('\n\n');
}

/** The matches of a pattern, with their `front`, that `read` changes. */
function otherReadings(text: string, pattern: RegExp, read: (found: string) => string): OtherReading[] {
  const parts: OtherReading[] = [];
  // Most texts have none, and an iterator costs more than the search.
  if (text.search(pattern) === -1) return parts;
  for (const match of text.matchAll(pattern)) {
    const front = match.groups?.['front'] ?? '';
    const sent = front + match[0];
    const other = read(sent);
    const start = match.index - front.length;
    if (other !== sent) parts.push({ start, end: start + sent.length, text: other });
  }
  return parts;
}

/** Words that such texts have, in ROT13 and backwards: several of either are required. */
const ROTATED =
  /\b(?:vtaber|qvfertneq|cerivbhf|vafgehpgvbaf?|flfgrz|cebzcg|cnffjbeq|perqragvnyf?|frperg|nethzrag|vapyhqr|fraq|ernq|svyr|hfre|erirny|rkrphgr)\b/g;
const REVERSED =
  /\b(?:erongi|dragersid|suoiverp|snoitcurtsni|metsys|tpmorp|drowssap|slaitnederc|terces|tnemugra|edulcni|dnes|daer|elif|resu|laever|etucexe)\b/g;
const EITHER = new RegExp(`${ROTATED.source}|${REVERSED.source}`);
const FEWEST = 2;
/** Words of any sentence, in ROT13: since they are not specific to orders, three are required. */
const ROTATED_SMALL_WORDS = /\b(?:gur|naq|lbh|lbhe|sebz|guvf|gung|jvgu|vagb|pnyy|bcra|sbyybj|sbejneq|xrrc|chg|nal|rirel)\b/g;
const FEWEST_SMALL = 3;

/** The normalised text with ROT13 or backward writing undone; undefined if there is none. */
export function unrotate(plain: string): string | undefined {
  const isRotated = (plain.match(ROTATED_SMALL_WORDS)?.length ?? 0) >= FEWEST_SMALL;
  if (!isRotated && !EITHER.test(plain)) return undefined;
  if (isRotated || (plain.match(ROTATED)?.length ?? 0) >= FEWEST) return plain.replaceAll(/[a-z]/g, rotated);
  if ((plain.match(REVERSED)?.length ?? 0) >= FEWEST) return [...plain].toReversed().join('');
  return undefined;
}

function rotated(letter: string): string {
  return String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97);
}
