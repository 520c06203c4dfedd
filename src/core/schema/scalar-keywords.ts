import { canonicalJson, ExactNumber, isJsonObject, type JsonObject, type JsonValue, parseContainer } from '../json.ts';
import { fault, spend, type Walk } from './walk.ts';

/** A value and its place. */
export interface Place {
  readonly value: JsonValue;
  readonly path: string;
}

/** The types that a schema names, of whatever kind they are. */
function typesOf(schema: JsonObject): readonly JsonValue[] {
  const type = schema['type'];
  if (Array.isArray(type)) return type as readonly JsonValue[];
  return type === undefined ? [] : [type];
}

/** A text that is a JSON object or list, as that, where the schema wants one and no text. */
export function asMeant(schema: JsonObject, value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  const types = typesOf(schema);
  if (types.length === 0 || types.includes('string') || !types.some((type) => type === 'object' || type === 'array'))
    return value;
  return parseContainer(value) ?? value;
}

/** Checks `type`. */
export function checkType(walk: Walk, schema: JsonObject, { value, path }: Place): boolean {
  const types = typesOf(schema).filter((type) => typeof type === 'string');
  if (types.length === 0 || types.some((type) => isOfType(value, type))) return true;
  return fault(walk, path, 'type', `must be ${types.map((type) => WORDS[type] ?? 'something else').join(' or ')}`);
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function isOfType(value: JsonValue, type: string): boolean {
  if (type === 'string') return typeof value === 'string';
  if (type === 'number') return isNumber(value);
  if (type === 'integer') return isNumber(value) && isInteger(value);
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'object') return isJsonObject(value);
  if (type === 'array') return Array.isArray(value);
  // A type that JSON Schema does not have forbids nothing.
  return type !== 'null' || value === null;
}

export function isNumber(value: JsonValue): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

function isInteger(value: number | ExactNumber): boolean {
  return Number.isInteger(toNumber(value)) || (value instanceof ExactNumber && /^-?\d+$/.test(value.source));
}

function toNumber(value: number | ExactNumber): number {
  return typeof value === 'number' ? value : Number(value.source);
}

export function checkEqual(walk: Walk, schema: JsonObject, { value, path }: Place): boolean {
  const choices = schema['enum'];
  if (Array.isArray(choices) && !(choices as readonly JsonValue[]).some((choice) => isEqual(walk, choice, value)))
    return fault(walk, path, 'enum', 'is not a listed value');
  const only = schema['const'];
  if (only !== undefined && !isEqual(walk, only, value)) return fault(walk, path, 'const', 'is not the only allowed value');
  return true;
}

/** Equal as JSON: the order of members and the spelling of numbers do not count. */
function isEqual(walk: Walk, a: JsonValue, b: JsonValue): boolean {
  spend(walk, 1);
  if (isNumber(a) && isNumber(b)) return toNumber(a) === toNumber(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  return toKey(walk, a) === toKey(walk, b);
}

export function toKey(walk: Walk, value: JsonValue): string {
  spend(walk, valuesIn(value));
  return canonicalJson(value, (source) => String(Number(source)));
}

function valuesIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 1;
  return Object.values(value).reduce<number>((sum, inner: JsonValue) => sum + valuesIn(inner), 1);
}

export function checkText(walk: Walk, schema: JsonObject, { value, path }: { value: string; path: string }): boolean {
  spend(walk, value.length / 1000);
  const [least, most] = [bound(schema, 'minLength'), bound(schema, 'maxLength')];
  // A text has at most as many characters as UTF-16 units, and at least half as many.
  if (least !== undefined && value.length < 2 * least && lengthOf(value) < least)
    return fault(walk, path, 'minLength', `must have at least ${least} characters`);
  if (most !== undefined && value.length > most && lengthOf(value) > most)
    return fault(walk, path, 'maxLength', `must have at most ${most} characters`);
  const format = schema['format'];
  const isOther = typeof format === 'string' && PLAIN_FORMATS.has(format) && OTHER.test(value);
  return isOther ? fault(walk, path, 'format', `has signs that no ${format} has`) : true;
}

/** Formats of short values with letters, digits and a few signs. Other faults of format are too common with honest clients. */
const PLAIN_FORMATS: ReadonlySet<string> = new Set(['date', 'time', 'duration', 'uuid', 'ipv4', 'hostname', 'email']);

/** Signs of a path, a URL, or a command, which no such value has. */
const OTHER = /[/\\;|&$`<>\n\0]/;

function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) {
      length--;
      at++;
    }
  }
  return length;
}

/** A keyword that is a number of something. */
export function bound(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return value !== undefined && isNumber(value) ? toNumber(value) : undefined;
}

export function checkNumber(
  walk: Walk,
  schema: JsonObject,
  { value, path }: { value: number | ExactNumber; path: string },
): boolean {
  const number = toNumber(value);
  const [least, most] = [bound(schema, 'minimum'), bound(schema, 'maximum')];
  // In draft-04 these are flags.
  const above = schema['exclusiveMinimum'] === true ? least : bound(schema, 'exclusiveMinimum');
  const below = schema['exclusiveMaximum'] === true ? most : bound(schema, 'exclusiveMaximum');
  if (least !== undefined && number < least) return fault(walk, path, 'minimum', `must be at least ${least}`);
  if (most !== undefined && number > most) return fault(walk, path, 'maximum', `must be at most ${most}`);
  if (above !== undefined && number <= above) return fault(walk, path, 'exclusiveMinimum', `must be above ${above}`);
  if (below !== undefined && number >= below) return fault(walk, path, 'exclusiveMaximum', `must be below ${below}`);
  const step = bound(schema, 'multipleOf');
  if (step !== undefined && step > 0 && !isMultiple(number, step))
    return fault(walk, path, 'multipleOf', `must be a multiple of ${step}`);
  return true;
}

/** Division of decimal fractions leaves rests that are no faults. */
function isMultiple(number: number, step: number): boolean {
  const times = number / step;
  return !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}
