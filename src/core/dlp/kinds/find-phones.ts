import type { FindKind } from './find-kind.ts';

/** International, with `+` (E.164), in groups or without. */
const INTERNATIONAL = /(?<![\w.+\-=/%])\+(?:\(?[1-9]\d{0,3}\)?)(?:[ .\-/]?\(?\d{1,5}\)?){1,6}(?![\w+]|[.\-:/]\d|-\w)/g;

/** North American, with the signs between its parts: `(415) 555-2671`, `1-415-555-2671`. */
const NORTH_AMERICAN =
  /(?<![\w.+\-=/%])(?<!\+1[ -])(?:1[ -])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}([ -]))[2-9]\d{2}(?:\1|-)\d{4}(?![\w+]|[.\-:/]\d|-\w)/g;

/** Calling codes of countries and territories (ITU-T E.164, list of assigned codes); those of three digits by their first two. */
const CODES =
  /^(?:1|7|2(?:0|7|1[1-368]|[2-3]\d|4\d|5[0-8]|6\d|9[01789])|3(?:[0-469]|5\d|7\d|8[0-35-79])|4(?:[013-9]|2[013])|5(?:[1-8]|0\d|9\d)|6(?:[0-6]|7[02-9]|8[0-35-9]|9[0-2])|8(?:[1246]|0[08]|5[02356]|7[08]|8[0-368])|9(?:[0-58]|6[0-8]|7[0-79]|9[2-6]))/;

/** Finds phone numbers: international ones with `+` and North American ones with signs between their parts. */
export const findPhones: FindKind = function* findPhones(text) {
  for (const { 0: found, index } of text.matchAll(INTERNATIONAL)) {
    const digits = found.replaceAll(/\D/g, '');
    const isWhole = digits.startsWith('1') ? /^1[2-9]\d{2}[2-9]\d{6}$/.test(digits) : digits.length >= 8 && digits.length <= 15;
    if (isWhole && CODES.test(digits) && hasPairs(found)) yield { start: index, end: index + found.length };
  }
  for (const { 0: found, index } of text.matchAll(NORTH_AMERICAN)) yield { start: index, end: index + found.length };
};

/** Tells whether each opening parenthesis has its closing one. */
function hasPairs(found: string): boolean {
  return found.replaceAll(/\(\d+\)/g, '').search(/[()]/) === -1;
}
