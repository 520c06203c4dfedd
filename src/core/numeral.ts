import { ExactNumber, type JsonValue } from './json.ts';

/**
 * An exact decimal number of any size: `0.<digits> × 10^exponent`. Zero has no digits. Doubles would make 2^53 + 1 equal to 2^53, and a
 * rule about an amount or an id must not confuse the two.
 */
export interface Numeral {
  readonly negative: boolean;
  /** Without leading or trailing zeros. */
  readonly digits: string;
  readonly exponent: number;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Reads a JSON number (leading zeros are tolerated); undefined if the text is none. */
export function parseNumeral(text: string): Numeral | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const all = whole + fraction;
  let start = 0;
  while (start < all.length && all.charCodeAt(start) === 48) start += 1;
  let end = all.length;
  while (end > start && all.charCodeAt(end - 1) === 48) end -= 1;
  if (start === end) return { negative: false, digits: '', exponent: 0 };
  return { negative: sign === '-', digits: all.slice(start, end), exponent: whole.length - start + Number(power) };
}

/** Negative, zero or positive, as `a` is below, at or above `b`. */
export function compareNumerals(a: Numeral, b: Numeral): number {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign - signOf(b);
  if (sign === 0) return 0;
  if (a.exponent !== b.exponent) return a.exponent > b.exponent ? sign : -sign;
  // Without leading zeros the text order of the digits is the order of the fractions.
  if (a.digits === b.digits) return 0;
  return a.digits > b.digits ? sign : -sign;
}

/** The canonical JSON text, laid out as ECMAScript prints numbers (RFC 8785), with every digit kept. */
export function formatNumeral({ negative, digits, exponent }: Numeral): string {
  if (digits === '') return '0';
  const count = digits.length;
  let text: string;
  if (count <= exponent && exponent <= 21) text = digits + '0'.repeat(exponent - count);
  else if (exponent > 0 && exponent <= 21) text = `${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
  else if (exponent > -6 && exponent <= 0) text = `0.${'0'.repeat(-exponent)}${digits}`;
  else {
    const power = exponent - 1;
    const mantissa = count === 1 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
    text = `${mantissa}e${power < 0 ? '-' : '+'}${Math.abs(power)}`;
  }
  return negative ? `-${text}` : text;
}

function signOf({ negative, digits }: Numeral): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

/** A scalar as text: strings as they are, anything else as canonical JSON. Undefined for objects and arrays. */
export function toText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (!(value instanceof ExactNumber)) return undefined;
  const numeral = parseNumeral(value.source);
  return numeral === undefined ? value.source : formatNumeral(numeral);
}

/** A number's text as it was sent, if it differs from the canonical text. */
export function toSentText(value: JsonValue): string | undefined {
  return value instanceof ExactNumber ? value.source : undefined;
}

/** A JSON number, exact; undefined for other values. */
export function toNumeral(value: JsonValue): Numeral | undefined {
  if (typeof value === 'number') return parseNumeral(String(value));
  return value instanceof ExactNumber ? parseNumeral(value.source) : undefined;
}

/**
 * The number that a lenient server may read in a text: with spaces around it, a plus sign, `_` between digits (Python), digits of other
 * scripts, `0x1f` (JavaScript's Number), without a digit before or after the point, or infinite.
 */
export function readNumeral(text: string): Numeral | undefined {
  // Nobody reads longer texts as numbers, and trimming them would cost.
  if (text.length > 4096) return undefined;
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
    .trim()
    .replace(/^\+/, '')
    .replaceAll(/(?<=\d)_(?=\d)/g, '');
  const sign = plain.startsWith('-') ? '-' : '';
  const size = plain.slice(sign.length);
  if (/^0(?:x[\da-f]+|o[0-7]+|b[01]+)$/i.test(size)) return parseNumeral(sign + String(BigInt(size)));
  if (/^inf(?:inity)?$/i.test(size)) return { negative: sign === '-', digits: '1', exponent: Number.POSITIVE_INFINITY };
  return parseNumeral(sign + size.replace(/^\./, '0.').replace(/\.(?!\d)/, ''));
}

/**
 * Converts a digit of any script: Unicode has them in runs of ten, each beginning with the zero. (NFKC has already converted styled digits,
 * whose runs are adjacent.)
 */
function toAsciiDigit(digit: string): string {
  if (digit <= '9') return digit;
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}
