import { matchesInNumbers } from '../scan-text.ts';
import type { FindKind } from './find-kind.ts';

/** As printed in groups of four, or without spaces. */
const CANDIDATE = /(?<![\w-])[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)(?![\w-])/g;

/** The length of an account's number by country, from the IBAN registry (ISO 13616). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 ' +
    'FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 ' +
    'LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 ' +
    'SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
);

/** Finds account numbers (IBAN): country, length and check digits are right. */
export const findIbans: FindKind = function* findIbans(text, scan) {
  for (const { found, start } of matchesInNumbers(text, scan, CANDIDATE)) {
    const length = LENGTHS.get(found.slice(0, 2));
    if (length === undefined) continue;
    const end = found.includes(' ') ? endOfGroups(found, length) : found.length;
    const number = found.slice(0, end).replaceAll(' ', '');
    if (number.length === length && hasCheckDigits(number)) yield { start, end: start + end };
  }
};

/** The end of the first so many letters and digits, if a group ends there: a word in capitals may follow. */
function endOfGroups(found: string, length: number): number {
  const end = length + Math.floor((length - 1) / 4);
  return end >= found.length || found.charAt(end) === ' ' ? Math.min(end, found.length) : 0;
}

/** ISO/IEC 7064, MOD 97-10. */
function hasCheckDigits(number: string): boolean {
  let rest = 0;
  for (const character of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
