import { canonicalJson } from '../canonical-json.ts';
import type { JsonValue } from '../json.ts';

/** Exponents with more digits are not computed. */
const MOST_EXPONENT_DIGITS = 15;

/**
 * The canonical JSON text of a declaration (RFC 8785): the same for any order of members and any spelling of numbers, and different for
 * different values. Unlike the RFC's, it keeps all digits of a number that a double would round, and it has a text for half of a surrogate
 * pair, `\udxxx`.
 */
export function canonicalText(value: JsonValue): string {
  return canonicalJson(value, numberText);
}

/**
 * One text for each number, whatever its spelling: that of ECMAScript (Number::toString), which RFC 8785 requires, but with all of the
 * number's digits. If a double keeps all digits, the text is the RFC's; otherwise it keeps its own digits, so that no two numbers share a
 * text. `-0` is `0`.
 *
 * @param source a JSON number
 */
export function numberText(source: string): string {
  const sign = source.startsWith('-') ? '-' : '';
  const mark = source.search(/[eE]/);
  const mantissa = source.slice(sign.length, mark === -1 ? source.length : mark);
  const point = mantissa.indexOf('.');
  const whole = point === -1 ? mantissa : mantissa.slice(0, point);
  const all = point === -1 ? whole : whole + mantissa.slice(point + 1);
  const first = all.search(/[1-9]/);
  if (first === -1) return '0';

  const exponent = mark === -1 ? '0' : source.slice(mark + 1);
  // No real number has it. Its spelling is still a text that no other number has.
  if (exponent.length > MOST_EXPONENT_DIGITS) return source;
  const digits = all.slice(first, lastNonZero(all) + 1);
  return sign + format(digits, whole.length - first + Number(exponent));
}

/** @param digits without zeros at either end @param magnitude how many of them, or zeros after them, stand before the point */
function format(digits: string, magnitude: number): string {
  if (magnitude > 21 || magnitude < -5) {
    const exponent = `e${magnitude > 0 ? '+' : '-'}${Math.abs(magnitude - 1)}`;
    return `${digits.slice(0, 1)}${digits.length > 1 ? '.' : ''}${digits.slice(1)}${exponent}`;
  }
  if (magnitude <= 0) return `0.${'0'.repeat(-magnitude)}${digits}`;
  if (digits.length <= magnitude) return digits + '0'.repeat(magnitude - digits.length);
  return `${digits.slice(0, magnitude)}.${digits.slice(magnitude)}`;
}

function lastNonZero(digits: string): number {
  let at = digits.length - 1;
  while (digits.charCodeAt(at) === 0x30) at -= 1;
  return at;
}
