import { ExactNumber, isJsonObject, type JsonValue } from '../../core/json.ts';
import { compareNumerals, parseNumeral } from '../../core/numeral.ts';
import { isBeyond64Bits, type TomlValue, writeTomlValue } from '../../core/policy/toml.ts';

/** The written text, or the reason why there is none. */
export type TomlText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** The deepest nesting of a value, less than that of a policy, which is around it. */
const MAX_DEPTH = 60;

/** Thrown to the border of this file only. */
class Inexpressible extends Error {}

/** Writes a JSON value in TOML, on one line; refuses a value that TOML can't express exactly. */
export function formatTomlValue(value: JsonValue): TomlText {
  try {
    // Outside of quotes there are none of these characters, and nobody sees them or what they do to those around them.
    const text = writeTomlValue(toWritable(value, 0)).replaceAll(/[\p{Cf}\u2028\u2029]/gu, escapeCharacter);
    return { ok: true, text };
  } catch (error) {
    if (error instanceof Inexpressible) return { ok: false, reason: error.message };
    throw error;
  }
}

function toWritable(value: JsonValue, depth: number): TomlValue {
  if (depth > MAX_DEPTH) throw new Inexpressible('it is nested too deep');
  if (value === null) throw new Inexpressible('it has a null, which TOML lacks');
  if (typeof value === 'string') return checkText(value);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return toNumber(String(value));
  if (value instanceof ExactNumber) return toNumber(value.source);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => toWritable(item, depth + 1));
  if (!isJsonObject(value)) throw new Inexpressible('it has something that TOML lacks');
  const members = Object.entries(value).map(([name, member]) => [checkText(name), toWritable(member, depth + 1)] as const);
  return Object.fromEntries(members);
}

function escapeCharacter(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

function checkText(text: string): string {
  if (text.isWellFormed()) return text;
  throw new Inexpressible('it has half of a surrogate pair, which is no text in TOML');
}

/** @param source a JSON number */
function toNumber(source: string): bigint | number {
  if (/^-?\d+$/.test(source)) {
    const integer = BigInt(source);
    if (isBeyond64Bits(integer)) throw new Inexpressible('it has an integer beyond 64 bits');
    return integer;
  }
  const sent = parseNumeral(source);
  const double = Number(source);
  const written = parseNumeral(String(double));
  if (sent === undefined || written === undefined || compareNumerals(sent, written) !== 0) {
    throw new Inexpressible('it has a number that TOML cannot hold exactly');
  }
  return double;
}
