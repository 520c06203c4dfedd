import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { splitName } from './split-name.ts';

/** Bounds on the schemas that are read, and on their depth, since a server chooses both. */
const MOST_SCHEMAS = 2000;
const MOST_DEPTH = 24;

/** Members that are a schema or a list of schemas. */
const SCHEMAS = [
  'allOf',
  'anyOf',
  'oneOf',
  'items',
  'prefixItems',
  'contains',
  'if',
  'then',
  'else',
  'not',
  'additionalProperties',
];
/** Members whose members are schemas; those of the first two are named like parameters. */
const NAMED = ['properties', 'patternProperties', 'dependentSchemas'];

export interface Parameter {
  /** Its words in lower case, with `_` between them. */
  readonly name: string;
  /** True if the caller may choose any text: it has neither another type nor a list of values. */
  readonly isText: boolean;
  /** The schema's format: `uri`, `hostname`, … */
  readonly format: string | undefined;
  /** True if it is part of another one. */
  readonly isNested: boolean;
}

export interface Parameters {
  readonly parameters: readonly Parameter[];
  /** False if the schema goes on beyond these bounds, or elsewhere. */
  readonly isWhole: boolean;
}

interface Reading {
  readonly root: JsonObject;
  readonly parameters: Parameter[];
  /** Required names; a schema may name some without describing them. */
  readonly required: Set<string>;
  readonly seen: Set<JsonObject>;
  isWhole: boolean;
}

/** The parameters of a tool, including those inside others, in alternatives and behind references within the schema. */
export function readParameters(schema: JsonObject): Parameters {
  const reading: Reading = { root: schema, parameters: [], required: new Set(), seen: new Set(), isWhole: true };
  readSchema(reading, schema, AT_ROOT);
  const { parameters, required, isWhole } = reading;
  const declared = new Set(parameters.map(({ name }) => name));
  for (const name of required)
    if (!declared.has(name)) parameters.push({ name, isText: true, format: undefined, isNested: false });
  return { parameters, isWhole };
}

/** Depth of a schema, and whether it belongs to part of a parameter. */
interface Level {
  readonly depth: number;
  readonly isNested: boolean;
}

const AT_ROOT: Level = { depth: 0, isNested: false };

function readSchema(reading: Reading, schema: JsonValue | undefined, level: Level): void {
  if (!isJsonObject(schema) || reading.seen.has(schema)) return;
  if (level.depth > MOST_DEPTH || reading.seen.size >= MOST_SCHEMAS) {
    reading.isWhole = false;
    return;
  }
  reading.seen.add(schema);
  const below: Level = { ...level, depth: level.depth + 1 };
  for (const key of NAMED) readNamed(reading, schema[key], key !== 'dependentSchemas', below);
  for (const key of SCHEMAS) {
    const value = schema[key];
    for (const each of firstOf(reading, Array.isArray(value) ? value : [value])) readSchema(reading, each, below);
  }
  const required = schema['required'];
  for (const name of firstOf(reading, Array.isArray(required) ? required : [])) {
    if (typeof name === 'string') reading.required.add(nameOf(name));
  }
  for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) readReference(reading, schema[key], below);
}

function readNamed(reading: Reading, value: JsonValue | undefined, isParameter: boolean, level: Level): void {
  if (!isJsonObject(value)) return;
  for (const name of firstOf(reading, Object.keys(value))) {
    const schema = value[name];
    if (isParameter) reading.parameters.push({ name: nameOf(name), ...describeValue(schema), isNested: level.isNested });
    readSchema(reading, schema, isParameter ? { ...level, isNested: true } : level);
  }
}

/** The first elements, up to the bound. */
function firstOf<T>(reading: Reading, list: readonly T[]): readonly T[] {
  if (list.length <= MOST_SCHEMAS) return list;
  reading.isWhole = false;
  return list.slice(0, MOST_SCHEMAS);
}

function readReference(reading: Reading, reference: JsonValue | undefined, level: Level): void {
  if (reference === undefined) return;
  const target = typeof reference === 'string' ? resolvePointer(reading.root, reference) : undefined;
  // A schema that is elsewhere, or missing, may allow anything.
  if (target === undefined) reading.isWhole = false;
  else readSchema(reading, target, level);
}

function resolvePointer(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#') || reference.length > 1000) return undefined;
  let value: JsonValue | undefined = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = decodeStep(step);
    if (Array.isArray(value)) value = /^\d{1,6}$/.test(key) ? value[Number(key)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return isJsonObject(value) && /^#(?:\/|$)/.test(reference) ? value : undefined;
}

function decodeStep(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function nameOf(name: string): string {
  return splitName(name).join('_');
}

function describeValue(schema: JsonValue | undefined): Pick<Parameter, 'isText' | 'format'> {
  if (!isJsonObject(schema)) return { isText: schema !== false, format: undefined };
  const { type, format, items } = schema;
  const types = Array.isArray(type) ? type : [type];
  const isListed = Array.isArray(schema['enum']) || Object.hasOwn(schema, 'const');
  const isText = types.some((one) => one === undefined || one === 'string' || (one === 'array' && describeValue(items).isText));
  return { isText: isText && !isListed, format: typeof format === 'string' ? format.toLowerCase() : undefined };
}
