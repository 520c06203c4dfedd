import type { SchemaFault } from '../finding.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { asMeant, bound, checkEqual, checkNumber, checkText, checkType, isNumber, type Place, toKey } from './scalar-keywords.ts';
import { fault, join, MOST_FAULTS, MOST_STEPS, OverBudget, resolve, spend, type Walk } from './walk.ts';

export interface SchemaCheck {
  /** The first faults, at most `MOST_FAULTS`. */
  readonly faults: readonly SchemaFault[];
  /** Why some of the schema was not checked; undefined if all was. */
  readonly unchecked: 'costly' | 'unsupported' | undefined;
}

/**
 * Checks a call's arguments against its tool's JSON Schema, 2020-12 and draft-07. Servers write schemas, so nothing of one is run, no
 * pattern either, and work is bounded. A keyword that is not checked, such as a reference to elsewhere, counts as fulfilled.
 *
 * A text that is JSON counts as what it says where the schema wants an object or a list: models send such, and servers read them.
 *
 * @param isClosed arguments that the schema does not name are faults too
 */
export function checkSchema(schema: JsonValue, args: JsonObject, isClosed: boolean): SchemaCheck {
  const faults: SchemaFault[] = [];
  const walk: Walk = { root: schema, faults, left: MOST_STEPS, depth: 0, isSupported: true };
  try {
    check(walk, schema, args, '');
    if (isClosed) checkClosed(walk, schema, args);
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    return { faults: faults.slice(0, MOST_FAULTS), unchecked: 'costly' };
  }
  return { faults: faults.slice(0, MOST_FAULTS), unchecked: walk.isSupported ? undefined : 'unsupported' };
}

/** Applies a schema to a value. @returns whether it fits */
function check(walk: Walk, schema: JsonValue, value: JsonValue, path: string): boolean {
  spend(walk, 1);
  if (schema === false) return fault(walk, path, 'false', 'is not allowed');
  if (!isJsonObject(schema)) return true;
  walk.depth++;
  spend(walk, Object.keys(schema).length / 10);
  const fits = checkObject(walk, schema, { value, path });
  walk.depth--;
  return fits;
}

function checkObject(walk: Walk, schema: JsonObject, place: Place): boolean {
  const { value: sent, path } = place;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = resolve(walk, reference);
    const fits = target === undefined || check(walk, target, sent, path);
    // Before 2019-09, what stands beside a reference does not count.
    if (!fits || isOld(walk.root)) return fits;
  }
  for (const keyword of UNSUPPORTED) if (schema[keyword] !== undefined) walk.isSupported = false;
  const value = asMeant(schema, sent);
  if (value === null && schema['nullable'] === true) return true;
  if (!checkType(walk, schema, { value, path })) return false;
  const results = [
    checkEqual(walk, schema, { value, path }),
    checkCombined(walk, schema, { value, path }),
    typeof value === 'string' ? checkText(walk, schema, { value, path }) : true,
    isNumber(value) ? checkNumber(walk, schema, { value, path }) : true,
    Array.isArray(value) ? checkList(walk, schema, { value: value as readonly JsonValue[], path }) : true,
    isJsonObject(value) ? checkMembers(walk, schema, { value, path }) : true,
  ];
  return !results.includes(false);
}

/** Keywords that are not checked: a server's patterns may take for ever, and others depend on more than the schema they stand in. */
const UNSUPPORTED = [
  'pattern',
  'patternProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
] as const;

function isOld(root: JsonValue): boolean {
  const dialect = isJsonObject(root) ? root['$schema'] : undefined;
  return typeof dialect === 'string' && /draft-0[3-7]/.test(dialect);
}

function checkCombined(walk: Walk, schema: JsonObject, { value, path }: Place): boolean {
  let fits = true;
  const { allOf, anyOf, oneOf, not } = schema;
  if (Array.isArray(allOf)) for (const each of allOf as readonly JsonValue[]) fits = check(walk, each, value, path) && fits;
  if (Array.isArray(anyOf) && !(anyOf as readonly JsonValue[]).some((each) => silently(walk, each, value)))
    fits = fault(walk, path, 'anyOf', 'fits no allowed form');
  if (Array.isArray(oneOf)) {
    const count = (oneOf as readonly JsonValue[]).filter((each) => silently(walk, each, value)).length;
    // Schemas often have overlapping alternatives, and servers take them.
    if (count === 0) fits = fault(walk, path, 'oneOf', 'fits no allowed form');
  }
  if (not !== undefined && walk.isSupported && silently(walk, not, value) && walk.isSupported)
    fits = fault(walk, path, 'not', 'has an excluded form');
  const { if: condition } = schema;
  if (condition !== undefined) {
    const holds = silently(walk, condition, value);
    // A condition that was not checked in full decides nothing.
    const branch = !walk.isSupported ? undefined : holds ? schema['then'] : schema['else'];
    if (branch !== undefined) fits = check(walk, branch, value, path) && fits;
  }
  return fits;
}

function silently(walk: Walk, schema: JsonValue, value: JsonValue): boolean {
  const { faults } = walk;
  walk.faults = undefined;
  try {
    return check(walk, schema, value, '');
  } finally {
    walk.faults = faults;
  }
}

function checkList(walk: Walk, schema: JsonObject, { value, path }: { value: readonly JsonValue[]; path: string }): boolean {
  const [least, most] = [bound(schema, 'minItems'), bound(schema, 'maxItems')];
  let fits = true;
  if (least !== undefined && value.length < least) fits = fault(walk, path, 'minItems', `must have at least ${least} elements`);
  if (most !== undefined && value.length > most) fits = fault(walk, path, 'maxItems', `must have at most ${most} elements`);
  const { items } = schema;
  const first = (
    Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : Array.isArray(items) ? items : []
  ) as readonly JsonValue[];
  const rest = Array.isArray(items) ? schema['additionalItems'] : items;
  for (const [index, element] of value.entries()) {
    const own = first[index] ?? rest;
    if (own !== undefined) fits = check(walk, own, element, join(path, String(index))) && fits;
  }
  if (schema['uniqueItems'] === true) {
    if (new Set(value.map((element) => toKey(walk, element))).size < value.length)
      fits = fault(walk, path, 'uniqueItems', 'must not have two equal elements');
  }
  const { contains } = schema;
  if (contains === undefined) return fits;
  const count = value.filter((element) => silently(walk, contains, element)).length;
  const [fewest, many] = [bound(schema, 'minContains') ?? 1, bound(schema, 'maxContains') ?? Infinity];
  return count < fewest || count > many ? fault(walk, path, 'contains', 'must have other elements') : fits;
}

function checkMembers(walk: Walk, schema: JsonObject, { value, path }: { value: JsonObject; path: string }): boolean {
  const names = Object.keys(value);
  const [least, most] = [bound(schema, 'minProperties'), bound(schema, 'maxProperties')];
  let fits = true;
  if (least !== undefined && names.length < least)
    fits = fault(walk, path, 'minProperties', `must have at least ${least} members`);
  if (most !== undefined && names.length > most) fits = fault(walk, path, 'maxProperties', `must have at most ${most} members`);
  const required = schema['required'];
  for (const name of textsIn(walk, required))
    if (!Object.hasOwn(value, name)) fits = fault(walk, join(path, name), 'required', 'is missing');
  const { properties, patternProperties: patterns, additionalProperties: additional, propertyNames } = schema;
  // Some generators close every object. One whose names are described, and none of them named, is a record.
  const isRecord = additional === false && isJsonObject(propertyNames) && properties === undefined;
  for (const name of names) {
    const member = value[name] ?? null;
    const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own !== undefined) fits = check(walk, own, member, join(path, name)) && fits;
    const isKnown = own !== undefined || patterns !== undefined || isRecord;
    if (!isKnown && additional === false)
      fits = fault(walk, join(path, name), 'additionalProperties', 'is unknown to the schema');
    else if (!isKnown && additional !== undefined) fits = check(walk, additional, member, join(path, name)) && fits;
    if (propertyNames !== undefined && !silently(walk, propertyNames, name))
      fits = fault(walk, join(path, name), 'propertyNames', 'has an excluded name');
  }
  return checkDependent(walk, schema, { value, path }) && fits;
}

/** Members that others need beside them. */
function checkDependent(walk: Walk, schema: JsonObject, { value, path }: { value: JsonObject; path: string }): boolean {
  let fits = true;
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies'] as const) {
    const dependent = schema[keyword];
    if (!isJsonObject(dependent)) continue;
    spend(walk, Object.keys(dependent).length / 10);
    for (const [name, needs] of Object.entries(dependent)) {
      if (!Object.hasOwn(value, name)) continue;
      if (!Array.isArray(needs)) fits = check(walk, needs, value, path) && fits;
      for (const each of textsIn(walk, needs))
        if (!Object.hasOwn(value, each)) fits = fault(walk, join(path, each), keyword, 'is missing beside another argument');
    }
  }
  return fits;
}

function textsIn(walk: Walk, value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  spend(walk, value.length / 10);
  return (value as readonly JsonValue[]).filter((each) => typeof each === 'string');
}

/** Arguments that no part of the schema names, in whatever alternative. */
function checkClosed(walk: Walk, schema: JsonValue, args: JsonObject): void {
  const named = new Set<string>();
  if (!collectNames(walk, schema, named)) return;
  for (const name of Object.keys(args)) {
    if (named.has(name) || walk.faults?.some(({ path }) => path === name) === true) continue;
    fault(walk, name, 'additionalProperties', 'is unknown to the schema');
  }
}

/** Collects the names of an object's members. False if others may be meant too. */
function collectNames(walk: Walk, schema: JsonValue, to: Set<string>): boolean {
  spend(walk, 1);
  if (!isJsonObject(schema)) return schema === false;
  const { $ref: reference, properties, patternProperties, additionalProperties, allOf, anyOf, oneOf } = schema;
  if (patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false)) return false;
  if (isJsonObject(properties)) for (const name of Object.keys(properties)) to.add(name);
  const target = typeof reference === 'string' ? resolve(walk, reference) : false;
  if (target === undefined) return false;
  const inner = [target, schema['then'], schema['else'], schema['if']];
  for (const list of [allOf, anyOf, oneOf]) if (Array.isArray(list)) inner.push(...(list as readonly JsonValue[]));
  walk.depth++;
  const isAll = inner.every((each) => each === undefined || each === true || collectNames(walk, each, to));
  walk.depth--;
  // A schema that names nothing says nothing about names.
  return isAll && (walk.depth > 0 || to.size > 0 || isJsonObject(properties));
}
