import { complain, complainOfType, type Complaints, type Faults } from './complaints.ts';
import { findGlobFault } from '../patterns/glob.ts';
import { parseNumeral, type Numeral } from '../numeral.ts';
import { suggestName } from '../../suggest.ts';
import { describeToml, isBeyond64Bits, isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { Comparison, Matcher, PolicyPath, Scalar } from './types.ts';

/** Every operator of a matcher table. */
export const OPERATORS: readonly string[] = ['not', 'regex', 'equals', 'gt', 'gte', 'lt', 'lte', 'exists'];

const COMPARISONS: readonly string[] = ['gt', 'gte', 'lt', 'lte'];

/** `name`: a tool, server, URI, …, always text. `argument`: any JSON value. */
export type FieldKind = 'name' | 'argument';

export interface Field {
  readonly path: PolicyPath;
  readonly kind: FieldKind;
}

/** Reads a field: a glob, a list of globs (any of them), or a matcher table. Undefined if it is faulty, after complaining. */
export function parseMatcher(value: TomlValue, field: Field, to: Complaints): Matcher | undefined {
  if (Array.isArray(value)) return parseList(value, field, to);
  if (isTomlTable(value)) return parseOperators(value, field, to);
  return parsePlain(value, field, to);
}

function parseList(values: readonly TomlValue[], field: Field, to: Complaints): Matcher | undefined {
  if (values.length === 0) {
    complain(to, field.path, 'an empty list matches nothing');
    return undefined;
  }
  const patterns: string[] = [];
  const others: Matcher[] = [];
  for (const [index, value] of values.entries()) {
    const path = [...field.path, index];
    if (Array.isArray(value) || isTomlTable(value)) {
      complain(
        to,
        path,
        `a list holds plain values, not ${describeToml(value)}`,
        'write operators as one table instead of a list',
      );
      continue;
    }
    const matcher = parsePlain(value, { ...field, path }, to);
    if (matcher?.op === 'globs') patterns.push(...matcher.patterns);
    else if (matcher !== undefined) others.push(matcher);
  }
  // Globs of one list stay together: an allow rule is satisfied if each form of a path matches some glob of the list.
  const globs: Matcher[] = patterns.length === 0 ? [] : [{ op: 'globs', patterns }];
  return combine('any', [...globs, ...others]);
}

function parsePlain(value: TomlValue, field: Field, to: Complaints): Matcher | undefined {
  if (typeof value === 'string') {
    const fault = findGlobFault(value);
    if (fault === undefined) return { op: 'globs', patterns: [value] };
    complain(to, field.path, fault, value === '' ? 'use { equals = "" } for the empty text' : undefined);
    return undefined;
  }
  if (field.kind === 'name') {
    complainOfType(to, field.path, value, 'a glob, a list of globs or a table of operators');
    return undefined;
  }
  const scalar = parseScalar(value, field.path, to);
  return scalar === undefined ? undefined : { op: 'equals', value: scalar };
}

function parseOperators(table: TomlTable, field: Field, to: Complaints): Matcher | undefined {
  const matchers: Matcher[] = [];
  const entries = Object.entries(table);
  if (entries.length === 0) complain(to, field.path, 'an empty table matches nothing', `operators: ${OPERATORS.join(', ')}`);
  for (const [key, value] of entries) {
    const matcher = parseOperator(key, value, { ...field, path: [...field.path, key] }, to);
    if (matcher !== undefined) matchers.push(matcher);
  }
  return combine('all', matchers);
}

function parseOperator(...[operator, value, field, to]: [string, TomlValue, Field, Complaints]): Matcher | undefined {
  const { path } = field;
  if (operator === 'not') {
    const inner = parseMatcher(value, field, to);
    return inner === undefined ? undefined : { op: 'not', inner };
  }
  if (operator === 'regex') return parseRegex(value, path, to);
  if (operator === 'equals') {
    if (field.kind === 'name' && typeof value !== 'string') {
      complainOfType(to, path, value, 'a string');
      return undefined;
    }
    const scalar = parseScalar(value, path, to);
    return scalar === undefined ? undefined : { op: 'equals', value: scalar };
  }
  if (field.kind === 'name' && OPERATORS.includes(operator)) {
    complain(to, path, `"${operator}" is for arguments: a name is always there and always text`);
    return undefined;
  }
  if (operator === 'exists') {
    if (typeof value === 'boolean') return { op: 'exists', present: value };
    complainOfType(to, path, value, 'true or false');
    return undefined;
  }
  if (isComparison(operator)) {
    const bound = typeof value === 'number' || typeof value === 'bigint' ? parseScalar(value, path, to) : undefined;
    if (typeof bound === 'object') return { op: 'compare', comparison: operator, bound };
    if (typeof value !== 'number' && typeof value !== 'bigint') complainOfType(to, path, value, 'a number');
    return undefined;
  }
  const near = suggestName(operator, OPERATORS);
  complain(
    to,
    path,
    `unknown operator "${operator}"`,
    near === undefined ? `operators: ${OPERATORS.join(', ')}` : `did you mean "${near}"?`,
  );
  return undefined;
}

function isComparison(operator: string): operator is Comparison {
  return COMPARISONS.includes(operator);
}

function parseRegex(value: TomlValue, path: PolicyPath, to: Complaints): Matcher | undefined {
  if (typeof value !== 'string') {
    complainOfType(to, path, value, 'a string');
    return undefined;
  }
  if (to.regex === undefined) {
    to.needsRegex = true;
    return undefined;
  }
  const regex = to.regex(value);
  if ('matches' in regex) return { op: 'regex', regex };
  complain(to, path, regex.message, regex.hint);
  return undefined;
}

/** Reads a value without members; undefined if it can't be compared, after complaining. */
export function parseScalar(value: TomlValue, path: PolicyPath, to: Faults): Scalar | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint' && isBeyond64Bits(value)) {
    complain(to, path, 'an integer beyond 64 bits is not exact in TOML', 'write it as a string');
    return undefined;
  }
  const numeral = toNumeral(value);
  if (numeral === undefined) complainOfType(to, path, value, 'a string, a number or a boolean');
  return numeral;
}

function toNumeral(value: TomlValue): Numeral | undefined {
  // `String` of a double is the shortest text that reads back as it; that of infinity and NaN is no numeral.
  return typeof value === 'number' || typeof value === 'bigint' ? parseNumeral(String(value)) : undefined;
}

function combine(op: 'all' | 'any', of: readonly Matcher[]): Matcher | undefined {
  return of.length > 1 ? { op, of } : of[0];
}

/** Operators long enough that a similar word is hardly anything else; half the dictionary is similar to `gt` or `not`. */
const LONG_OPERATORS: readonly string[] = ['equals', 'exists', 'regex'];

const ANY_OF = 'a list matches any of its globs, as in ["a*", "b*"]';
const A_GLOB = 'write a glob on its own, as in "/etc/**"; write a regular expression as { regex = "…" }';
const NOT_EQUAL = 'write { not = { equals = … } }';

/** Other policy languages' words for our operators, and slips too short to be found by similarity; without case, `_` and `-`. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ...OPERATORS.map((word): [string, string] => [word, meant(word)]),
  ['eq', meant('equals')],
  ['nto', meant('not')],
  ['gtt', meant('gt')],
  ...['ge', 'min'].map((word): [string, string] => [word, meant('gte')]),
  ...['le', 'max'].map((word): [string, string] => [word, meant('lte')]),
  ...['ne', 'neq', 'notequal', 'notequals'].map((word): [string, string] => [word, NOT_EQUAL]),
  ...['glob', 'match', 'matches', 'pattern'].map((word): [string, string] => [word, A_GLOB]),
  ...['in', 'oneof', 'anyof'].map((word): [string, string] => [word, ANY_OF]),
  ['notin', 'write { not = ["a*", "b*"] }'],
  ['contains', 'the glob "**text**" matches any text that contains it'],
  ['startswith', 'the glob "text**" matches any text that starts with it'],
  ['endswith', 'the glob "**text" matches any text that ends with it'],
]);

/** Those words, including the operators themselves, in a form for schemas. */
export const MISTAKEN_WORDS: readonly string[] = [...ADVICE.keys()];

/**
 * Suggests a replacement for a word that is more likely a mistaken operator than an argument's name; undefined for any other word. If taken
 * for a name, it makes a rule that never matches, and a deny rule that never matches is a hole. (Not for correctly spelt operators.)
 */
export function adviseOnOperator(word: string): string | undefined {
  const advice = ADVICE.get(word.toLowerCase().replaceAll(/[-_]/g, ''));
  if (advice !== undefined) return advice;
  const near = suggestName(word, LONG_OPERATORS);
  return near === undefined ? undefined : meant(near);
}

function meant(operator: string): string {
  return `did you mean "${operator}"?`;
}
