import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { finding } from './judge-launch.ts';
import type { ScanFinding } from './scanned.ts';

const TYPES: ReadonlySet<JsonValue> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Keywords by which a schema says what a value may be. */
const TELLING = [
  'type',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'format',
  'pattern',
  'properties',
  'items',
  'not',
  'if',
];

/** Most values of a schema that are read. */
const MOST_VALUES = 20_000;

/** Judges the schema of a tool's arguments: whether clawai and the client can hold a call to it. */
export function judgeSchema(tool: string, schema: JsonValue | undefined): readonly ScanFinding[] {
  const ask = 'tell its author; let no client allow it unasked';
  if (!isJsonObject(schema)) {
    const message = 'it has no schema, so its arguments cannot be checked';
    return [finding('no-schema', { severity: 'medium', subject: tool, message, todo: ask })];
  }
  const found: ScanFinding[] = [];
  const fault = faultOf(schema);
  if (fault !== undefined) {
    const message = `its schema cannot hold: ${fault}`;
    found.push(finding('invalid-schema', { severity: 'medium', subject: tool, message, todo: ask }));
  }
  if (refersOutside(schema)) {
    const message = 'its schema refers to another document, which is not read';
    found.push(finding('outside-schema', { severity: 'medium', subject: tool, message, todo: ask }));
  }
  const { properties } = schema;
  const untyped = isJsonObject(properties)
    ? Object.entries(properties).flatMap(([name, value]) => (isUntyped(value) ? [name] : []))
    : [];
  if (untyped.length > 0) {
    const message = 'some of its arguments may be anything';
    found.push(finding('untyped-argument', { severity: 'low', subject: tool, message, todo: 'ask its author for their types' }));
  }
  return found;
}

/** The first reason why no arguments can satisfy the schema as it is meant; undefined if there is none. */
function faultOf({ type, properties, required }: JsonObject): string | undefined {
  if (type !== undefined && type !== 'object') return 'arguments are an object, and it wants something else';
  if (properties !== undefined && !isJsonObject(properties)) return '"properties" is no object';
  if (required !== undefined && !Array.isArray(required)) return '"required" is no list';
  for (const value of isJsonObject(properties) ? Object.values(properties) : []) {
    const types = isJsonObject(value) ? value['type'] : undefined;
    const all = Array.isArray(types) ? (types as readonly JsonValue[]) : types === undefined ? [] : [types];
    if (all.some((each) => !TYPES.has(each))) return 'it names a type that JSON does not have';
  }
  return undefined;
}

function isUntyped(value: JsonValue): boolean {
  return value === true || (isJsonObject(value) && !TELLING.some((key) => value[key] !== undefined));
}

/** Tells whether a `$ref` leads out of the schema. Takes any depth. */
function refersOutside(schema: JsonObject): boolean {
  const open: JsonValue[] = [schema];
  for (let read = 0; open.length > 0 && read < MOST_VALUES; read++) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...(value as readonly JsonValue[]).slice(0, MOST_VALUES));
    else if (value !== undefined && isJsonObject(value)) {
      const { $ref: reference, $id: id } = value;
      if (typeof reference === 'string' && /^(?:[a-z][\w+.-]*:|\/\/|[^#])/i.test(reference) && id === undefined) return true;
      open.push(...Object.values(value).slice(0, MOST_VALUES));
    }
  }
  return false;
}
