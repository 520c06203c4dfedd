import { hash } from 'node:crypto';
import { canonicalJson, isJsonObject, type JsonValue } from '../json.ts';
import type { Definition, DefinitionKind } from './definition.ts';

/** The member of a definition that holds its name. */
export const NAME_MEMBERS = { tool: 'name', resource: 'uri', resource_template: 'uriTemplate', prompt: 'name' } as const;

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/;

/** `sha256:` and the 64 hex digits of the SHA-256 of a canonical text's UTF-8. */
export function fingerprintOf(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}

/** Tells whether a text has the form of a fingerprint. */
export function isFingerprint(text: string): boolean {
  return FINGERPRINT.test(text);
}

/** The name of a definition, of any length; undefined without one, or if it is no object. */
export function definitionName(kind: Exclude<DefinitionKind, 'instructions'>, value: JsonValue): string | undefined {
  const name = isJsonObject(value) && Object.hasOwn(value, NAME_MEMBERS[kind]) ? value[NAME_MEMBERS[kind]] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/**
 * The definition of a list's element. Its fingerprint changes with any member, except for those that change with a resource's contents.
 * Undefined without a name.
 */
export function toDefinition(kind: Exclude<DefinitionKind, 'instructions'>, value: JsonValue): Definition | undefined {
  const name = definitionName(kind, value);
  if (name === undefined) return undefined;
  return withFingerprint(kind, name, canonicalText(kind === 'resource' ? withoutState(value) : value));
}

/** Tells whether a value is a date, and so can't be read as words. */
function isDate(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /^[\d:.TZ+-]{4,40}$/i.test(value);
}

/** Removes size and date, which change when a file is written (MCP, Resource): it is the same resource. */
function withoutState(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { size, annotations, ...rest } = value;
  const isSize = size === undefined || typeof size === 'number';
  const kept: Record<string, JsonValue> = isSize ? { ...rest } : { ...rest, size };
  if (annotations === undefined) return kept;
  if (!isJsonObject(annotations) || !isDate(annotations['lastModified'])) return { ...kept, annotations };
  const { lastModified: _lastModified, ...others } = annotations;
  return { ...kept, annotations: others };
}

/** The definition of a server's instructions from its greeting. */
export function instructionsDefinition(instructions: string): Definition {
  return withFingerprint('instructions', '', canonicalText(instructions));
}

/**
 * Combines definitions of one kind and name to one: the array of them, in the order in which they were listed. It is not known which of
 * them a client uses, so none can change, come, go or move unseen.
 *
 * @param definitions at least one; a single one stays as it is
 */
export function combineDefinitions(definitions: readonly [Definition, ...Definition[]]): Definition {
  const [first] = definitions;
  if (definitions.length === 1) return first;
  // An array from another page adds its elements: a listed definition is an object.
  const texts = definitions.map(({ text }) => (text.startsWith('[') ? text.slice(1, -1) : text));
  return withFingerprint(first.kind, first.name, `[${texts.join(',')}]`);
}

function withFingerprint(kind: DefinitionKind, name: string, text: string): Definition {
  return { kind, name, text, fingerprint: fingerprintOf(text) };
}

/** The beginning of a fingerprint, as people see and type it: enough to tell two apart, but not to trust one. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.replace(/^sha256:/, '').slice(0, 8);
}

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
