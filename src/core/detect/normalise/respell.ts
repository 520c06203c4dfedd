import { isOrderWord, orderWordIn } from './order-words.ts';

/** A word with digits, signs or accents for letters, up to 24 characters of it. */
const ODD_WORD =
  /(?<![a-z0-9@$!|+\u00df-\u024f\u1e00-\u1eff])[a-z]{0,20}[0-9@$!|+\u00df-\u024f\u1e00-\u1eff][a-z0-9@$!|+\u00df-\u024f\u1e00-\u1eff]{1,24}/g;
const IS_ODD = /[0-9@$!|+\u00df-\u024f\u1e00-\u1eff]/;
/** Words of other languages, which look like English ones without their accents. */
const HONEST: ReadonlySet<string> = new Set(['exécute', 'ignoré']);
const HAS_LETTER = /[a-z]/;
const CLOSING = /[!|+]+$/;

/** The text (normalised) with words of orders in their usual spelling; undefined where none is spelt otherwise. */
export function respell(plain: string): string | undefined {
  if (!IS_ODD.test(plain)) return undefined;
  const respelt = plain.replace(ODD_WORD, (word) => {
    if (word.length < 4 || HONEST.has(word) || !HAS_LETTER.test(word)) return word;
    return orderWordIn(word) ?? orderWordIn(word.replace(CLOSING, '')) ?? word;
  });
  return respelt === plain ? undefined : respelt;
}

const SPACED = /(?<![^\s"'(])[a-z](?:([ .\-_*])[a-z])(?:\1[a-z]){2,200}(?![^\s"'.,!?)])/gi;

/** A word in parts, as where a line ends. */
const HYPHENED = /(?<![a-z-])[a-z]{1,10}(?:-[a-z]{1,10}){1,4}(?![a-z-])/gi;
/** A single one may be honest spelling (`by-pass`). */
const FEWEST_HYPHENED = 2;

/** `ig-nore` and `in-struc-tions` as words; undefined where fewer than two words of orders come out. */
export function joinHyphened(text: string): string | undefined {
  let found = 0;
  const joined = text.replace(HYPHENED, (parts) => {
    const word = parts.replaceAll('-', '');
    if (!isOrderWord(word.toLowerCase())) return parts;
    found += 1;
    return word;
  });
  return found < FEWEST_HYPHENED ? undefined : joined;
}

/** `i g n o r e   a l l` as words; undefined where no word of an order comes out. The text is the one sent: its runs of spaces part the words. */
export function closeUp(text: string): string | undefined {
  let isFound = false;
  const closed = text.replace(SPACED, (spaced: string, separator: string) => {
    const word = spaced.replaceAll(separator, '');
    isFound ||= isOrderWord(word.toLowerCase());
    return word;
  });
  return isFound ? closed : undefined;
}

/** Words that such texts have, in ROT13 and backwards: most of both have to be there. */
const ROTATED =
  /\b(?:vtaber|qvfertneq|cerivbhf|vafgehpgvbaf?|flfgrz|cebzcg|cnffjbeq|perqragvnyf?|frperg|nethzrag|vapyhqr|fraq|ernq|svyr|hfre|erirny|rkrphgr)\b/g;
const REVERSED =
  /\b(?:erongi|dragersid|suoiverp|snoitcurtsni|metsys|tpmorp|drowssap|slaitnederc|terces|tnemugra|edulcni|dnes|daer|elif|resu|laever|etucexe)\b/g;
const FEWEST = 2;

/** The text (normalised) as it was before ROT13 or before it was written backwards; undefined where it was not. */
export function unrotate(plain: string): string | undefined {
  if ((plain.match(ROTATED)?.length ?? 0) >= FEWEST) return plain.replaceAll(/[a-z]/g, rotated);
  if ((plain.match(REVERSED)?.length ?? 0) >= FEWEST) return [...plain].toReversed().join('');
  return undefined;
}

function rotated(letter: string): string {
  return String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97);
}
