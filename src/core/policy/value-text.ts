import { ExactNumber, type JsonValue } from '../json.ts';
import { formatNumeral, parseNumeral, type Numeral } from './numeral.ts';

/** A scalar as text: strings as they are, anything else as canonical JSON. Undefined for objects and arrays. */
export function toText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (!(value instanceof ExactNumber)) return undefined;
  const numeral = parseNumeral(value.source);
  return numeral === undefined ? value.source : formatNumeral(numeral);
}

/** A number's text as it was sent, where that is not its canonical text. */
export function toSentText(value: JsonValue): string | undefined {
  return value instanceof ExactNumber ? value.source : undefined;
}

/** A JSON number, exact. */
export function toNumeral(value: JsonValue): Numeral | undefined {
  if (typeof value === 'number') return parseNumeral(String(value));
  return value instanceof ExactNumber ? parseNumeral(value.source) : undefined;
}

/**
 * The number that a lenient server may read in a text: with spaces around it, a plus sign, `_` between digits (Python), digits of
 * other scripts, `0x1f` (JavaScript's Number), without a digit before or after the point, or infinite.
 */
export function readNumeral(text: string): Numeral | undefined {
  // Longer texts are read as numbers by nobody, and trimming them would cost.
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

/** Unicode has its decimal digits in runs of ten, each beginning with the zero. (Those in fancy type, side by side, NFKC made plain.) */
function toAsciiDigit(digit: string): string {
  if (digit <= '9') return digit;
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}
