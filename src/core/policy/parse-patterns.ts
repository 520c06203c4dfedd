import type { Regex } from '../patterns/regex.ts';
import { complain, complainOfType, type Complaints } from './complaints.ts';
import type { Place } from './keys.ts';
import { isTomlTable, type TomlValue } from './toml.ts';
import type { PolicyPath } from './types.ts';

/** A pattern's name becomes part of its findings' names. */
const PATTERN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function checkPatternName(name: string, { path, to }: Place, hint: string): void {
  if (PATTERN_NAME.test(name)) return;
  complain(to, [...path, 'name'], `a pattern's name has letters, digits, "_" and "-", not ${JSON.stringify(name)}`, hint);
}

/** Compiles a pattern here, since one that does not compile would be skipped silently when texts are searched. Undefined if it is faulty. */
export function checkPattern(pattern: string, path: PolicyPath, to: Complaints): Regex | undefined {
  if (to.regex === undefined) {
    to.needsRegex = true;
    return undefined;
  }
  const regex = to.regex(pattern);
  if (!('matches' in regex)) complain(to, path, regex.message, regex.hint);
  else if (regex.matches('')) complain(to, path, 'a pattern that matches the empty text matches everywhere');
  else return regex;
  return undefined;
}

/** The tables of a list, each with its path. */
export function tablesOf({ table, path, to }: Place, key: string): readonly Place[] {
  const value = table[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    const name = [...path, key].join('.');
    const hint = isTomlTable(value) ? `write [[${name}]] with two brackets` : undefined;
    complain(to, [...path, key], `${name} is a list of tables`, hint);
    return [];
  }
  return (value as readonly TomlValue[]).flatMap((item, index) => {
    const place = [...path, key, index];
    if (isTomlTable(item)) return [{ table: item, path: place, to }];
    complainOfType(to, place, item, 'a table');
    return [];
  });
}

/** The patterns of a list, whose names differ. @param parse undefined for a faulty one */
export function patternsOf<Pattern extends { readonly name: string }>(
  place: Place,
  parse: (place: Place) => Pattern | undefined,
): Pattern[] {
  const patterns: Pattern[] = [];
  for (const one of tablesOf(place, 'pattern')) {
    const pattern = parse(one);
    if (pattern === undefined) continue;
    if (patterns.some(({ name }) => name === pattern.name))
      complain(place.to, [...one.path, 'name'], `another pattern already has the name "${pattern.name}"`);
    patterns.push(pattern);
  }
  return patterns;
}

/** Reads a required text that is not blank. */
export function readText({ table, path, to }: Place, key: string): string | undefined {
  const value = table[key];
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (value === undefined) complain(to, path, `"${key}" is missing`);
  else if (typeof value === 'string') complain(to, [...path, key], `"${key}" is empty`);
  else complainOfType(to, [...path, key], value, 'a string');
  return undefined;
}
