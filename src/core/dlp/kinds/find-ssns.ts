import { matchesInNumbers } from '../scan-text.ts';
import type { FindKind } from './find-kind.ts';

const CANDIDATE = /(?<![\w.\-/+])\d{3}-\d{2}-\d{4}(?![\w/+]|[.-]\w)/g;

/** Matches the end of what stands before a number of something else, such as a part in a catalogue. */
const OF_A_THING =
  /(?<![A-Za-z])(?:(?:part|item|model|serial|catalog(?:ue)?|order|stock|article|product|lot|batch|ref(?:erence)?|case|ticket|invoice)(?:[ _-]?(?:no|num|number|id|code))?|p\/?n|s\/n|sku|isbn|ean|upc|asin|cas)[."']{0,2}\s{0,3}[:#=]?\s{0,3}["']?$/i;
const BEFORE = 32;

/** Nine digits without hyphens only count behind their name. */
const NAMED =
  /(?<![A-Za-z])(?:ssn|social[ _-]?security(?:[ _-]?(?:number|no\.?))?)(?:["'\\]{0,4}\s{0,4}(?:[:=#]|is)){0,2}["'\s\\]{0,6}(\d{3} ?\d{2} ?\d{4})(?![\w-])/iy;

/** Numbers that were printed in advertisements, and are withdrawn. */
const WITHDRAWN = new Set(['078051120', '219099999']);

/** Finds social security numbers of the USA, as the SSA gives them out (20 CFR 422.103; SSA, "SSN randomization"). */
export const findSsns: FindKind = function* findSsns(text, scan) {
  for (const { found, start } of matchesInNumbers(text, scan, CANDIDATE))
    if (isGivenOut(found) && !OF_A_THING.test(text.slice(Math.max(0, start - BEFORE), start)))
      yield { start, end: start + found.length };
  let done = 0;
  for (const name of scan.ssns) {
    if (name < done) continue;
    NAMED.lastIndex = name;
    const [found = '', number = ''] = NAMED.exec(text) ?? [];
    done = name + found.length;
    if (found !== '' && isGivenOut(number)) yield { start: done - number.length, end: done };
  }
};

function isGivenOut(number: string): boolean {
  const digits = number.replaceAll(/[- ]/g, '');
  return !/^(?:000|666|9)|^...00|0000$|^(\d)\1\1(\d)\2(\d)\3\3\3$/.test(digits) && !WITHDRAWN.has(digits);
}
