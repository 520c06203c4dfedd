import { matchesInNumbers, type TextScan } from '../scan-text.ts';
import type { FindKind } from './find-kind.ts';

/** Digits as they are printed on cards: in groups with the same sign between them, or without one. */
const CANDIDATE =
  /(?<![\w.-])(?=[3-68]|2[2-7])(?:\d{14,19}|\d{4}([ -])(?:\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{6}\1(?:\d{5}|\d{4})))(?![A-Za-z_]|[.-]?\d|-\w)/g;

/** Groups of four digits, also in hex, in the same line: a row of so many more is a table, not a card with its date of expiry. */
const MORE_BEFORE = /(?<![\dA-Z])(?:(?:\d{4}|(?=[A-F]{0,3}\d)[\dA-F]{4})[ \t-]){1,3}$/;
const MORE_BEHIND = /(?:[ \t-](?:\d{4}|(?=[A-F]{0,3}\d)[\dA-F]{4})(?![\dA-Za-z])){1,3}/y;
const MOST_MORE = 2;
/** Characters of a group, and of a card of four, each with the sign beside it. */
const GROUP = 5;
const WHOLE = 4 * GROUP;

/** Beginnings of the numbers that banks give out, and how long such numbers are (ISO/IEC 7812; the networks' own tables). */
const BRANDS: readonly (readonly [from: number, to: number, lengths: readonly number[]])[] = [
  // Visa; the old length of 13 is that of barcodes.
  [400_000, 499_999, [16, 19]],
  // Mastercard
  [222_100, 272_099, [16]],
  [510_000, 559_999, [16]],
  // American Express
  [340_000, 349_999, [15]],
  [370_000, 379_999, [15]],
  // Diners Club
  [300_000, 305_999, [14, 16]],
  [309_500, 309_599, [14, 16]],
  [360_000, 369_999, [14]],
  [380_000, 399_999, [14, 16]],
  // JCB
  [352_800, 358_999, [16]],
  // Discover
  [601_100, 601_199, [16]],
  [644_000, 659_999, [16]],
  // UnionPay
  [620_000, 629_999, [16, 19]],
  // Maestro
  [501_800, 501_899, [16]],
  [502_000, 502_099, [16]],
  [503_800, 503_899, [16]],
  [589_300, 589_399, [16]],
  [630_400, 630_499, [16]],
  [675_900, 675_999, [16]],
  [676_100, 676_399, [16]],
  // Mir, RuPay
  [220_000, 220_499, [16]],
  [817_200, 820_199, [16]],
];

/** Numbers for tests that providers publish, which no bank gives out: Stripe, PayPal, Adyen, Braintree. */
const FOR_TESTS = new Set(
  (
    '4242424242424242 4000056655665556 5555555555554444 2223003122003222 5200828282828210 5105105105105100 378282246310005 ' +
    '371449635398431 378734493671000 6011111111111117 6011000990139424 6011981111111113 3056930009020004 36227206271667 ' +
    '6555900000604105 3566002020360505 3566111111111113 6200000000000005 6200000000000047 6205500000000000004 4111111111111111 ' +
    '4012888888881881 30569309025904 38520000023237 3530111333300000 5019717010103742 4005519200000004 4009348888881881 ' +
    '4500600000000061 4217651111111119 2223000048400011 5431111111111111 4988438843884305 4166676667666746 4646464646464644 ' +
    '5136333333333335 5577000055770004 6703444444444449 4917610000000000 4988080000000000 370000000000002'
  ).split(' '),
);

/** No bank has this beginning; by the rest, Stripe's tests choose a country and an outcome. */
const STRIPE_OUTCOME = '400000';

/**
 * Finds card numbers: beginning, length and check digit (Luhn) are right. Numbers for tests don't count. One in ten ids without groups has
 * all that, so those must stand alone, or a word must tell of a card.
 */
export const findCards: FindKind = (text, scan, name) => cardsIn(text, scan, { name, mayBeAlone: true });

/** The same in a text that may not be meant so: a number without groups counts only where a word tells of a card. */
export const findToldCards: FindKind = (text, scan, name) => cardsIn(text, scan, { name, mayBeAlone: false });

interface Telling {
  readonly name: string | undefined;
  /** True if a number may be a card because nothing else is in its line. */
  readonly mayBeAlone: boolean;
}

function* cardsIn(text: string, scan: TextScan, telling: Telling): ReturnType<FindKind> {
  for (const { found, groups, start } of matchesInNumbers(text, scan, CANDIDATE)) {
    const [sign] = groups;
    const digits = sign === undefined ? found : found.replaceAll(sign, '');
    const end = start + found.length;
    if (isCard(digits) && (sign === undefined ? isTold(text, { start, end }, telling) : !isInTable(text, start, end)))
      yield { start, end };
  }
}

function isCard(digits: string): boolean {
  const issuer = Number(digits.slice(0, 6));
  const isIssued = BRANDS.some(([from, to, lengths]) => issuer >= from && issuer <= to && lengths.includes(digits.length));
  return isIssued && hasCheckDigit(digits) && !FOR_TESTS.has(digits) && !digits.startsWith(STRIPE_OUTCOME);
}

/** The formula of Luhn, ISO/IEC 7812-1, Annex B. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 0x30;
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isInTable(text: string, start: number, end: number): boolean {
  MORE_BEHIND.lastIndex = end;
  const behind = MORE_BEHIND.exec(text)?.[0] ?? '';
  const before = MORE_BEFORE.exec(text.slice(Math.max(0, start - 16), start))?.[0] ?? '';
  if (isCardBeside(text.slice(Math.max(0, start - WHOLE), start)) || isCardBeside(text.slice(end, end + WHOLE))) return false;
  // Hex by itself makes a table of code points or a dump.
  return (before.length + behind.length) / GROUP > MOST_MORE || /[A-F]/.test(before + behind);
}

/** Tells whether the four groups beside a card are one, too: cards in a row. */
function isCardBeside(text: string): boolean {
  return /^(?:[ \t-]?\d{4}[ \t-]?){4}$/.test(text) && isCard(text.replaceAll(/\D/g, ''));
}

/** Words about cards and payment, and a date of expiry. */
const CARD_WORD =
  /cards?(?![a-z])|card_?(?:no|num)|visa(?![a-z])|amex|american express|mastercard|diners|discover|jcb|unionpay|maestro|rupay|\bpay(?:ment|ing|s)?(?![a-z])|credit|debit|charge|billing|checkout|(?<![a-z])(?:cc|pan)(?![a-z])|cvv|cvc|expir|\bexp\b|\b(?:0?[1-9]|1[0-2])\/(?:20)?[2-4]\d\b|karte|\bcarte|tarjeta|карт|卡/i;

/** A name that tells of an id, at the end of what stands before a number, and such a name by itself. */
const ID = String.raw`(?:(?<![A-Za-z])(?:[Gg]|[Gg]?[Uu]{1,2})?[Ii][Dd][Ss]?|[a-z\d]I[Dd]s?|(?:sku|imei|serial|barcode|tracking|cursor|timestamp)(?:_?(?:no|number|code))?)`;
const BEHIND_ID = new RegExp(String.raw`${ID}["'\x60\\\]]{0,4}\s{0,4}(?:[:=#]|is\b)?\s{0,4}["'\x60\\([]{0,4}$`);
const ID_NAME = new RegExp(`${ID}$`);

/** Matches the end of a path before a number. */
const PATH = /[^\s"'`<>]*\w\\?\/$/;

/** Match around a number that is all of its line, but not in a list of such. */
const LINE_BEFORE = /(?:^|(?<!\d{12}[^\w\n]{0,8})\n)[^\w\n]*$/;
const LINE_BEHIND = /^[^\w\n]*(?:$|\n(?![^\w\n]{0,8}\d{12}))/;

/** Characters before and behind a number among which words may tell of a card. */
const BEFORE = 80;
const BEHIND = 40;

/** Tells whether what stands around a number without groups, or the name of the whole text, lets it be a card. */
function isTold(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  { name = '', mayBeAlone }: Telling,
): boolean {
  const before = text.slice(Math.max(0, start - BEFORE), start);
  const behind = text.slice(end, end + BEHIND);
  if (BEHIND_ID.test(before)) return false;
  const path = PATH.exec(before)?.[0];
  if (path !== undefined) return CARD_WORD.test(path);
  if (mayBeAlone && LINE_BEFORE.test(before) && LINE_BEHIND.test(behind)) return !ID_NAME.test(name);
  return CARD_WORD.test(apart(name)) || CARD_WORD.test(apart(before)) || CARD_WORD.test(behind);
}

/** Separates the words of names: `cardPan`. */
function apart(text: string): string {
  return text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}
