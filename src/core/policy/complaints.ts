import { suggestName } from '../../suggest.ts';
import type { RegexCompiler } from '../patterns/regex.ts';
import { describeToml, type TomlTable, type TomlValue } from './toml.ts';
import type { PolicyError, PolicyPath } from './types.ts';

/** The errors that parsing collects: a file is read to its end, so that a person sees all of them at once. */
export interface Faults {
  readonly errors: PolicyError[];
}

/** The same for a policy. */
export interface Complaints extends Faults {
  readonly regex: RegexCompiler | undefined;
  /** Set when a `regex` was found without a compiler. */
  needsRegex: boolean;
}

export function complain(to: Faults, path: PolicyPath, message: string, hint?: string): void {
  to.errors.push(hint === undefined ? { path, message } : { path, message, hint });
}

export function complainOfType(to: Faults, path: PolicyPath, value: TomlValue, wanted: string): void {
  complain(to, path, `${nameOf(path)} must be ${wanted}, not ${describeToml(value)}`);
}

/** The possible keys of one table: those that are read, and those of the documented format that this version lacks. */
export interface KnownKeys {
  readonly read: readonly string[];
  readonly unenforced?: readonly string[];
  /** The verb for what this version does not do with them; `enforced` by default. */
  readonly lacks?: string;
  /** Advice on keys that were read here once, that belong to another file, or that are other programs' names for one of these. */
  readonly hints?: ReadonlyMap<string, string>;
}

/**
 * Complains of every key that is not read; `where` is the table's name in the message.
 *
 * @returns the keys that misspelt ones stand for, so that nobody complains of their absence as well
 */
export function checkKeys(
  to: Faults,
  path: PolicyPath,
  table: TomlTable,
  { read, unenforced = [], lacks = 'enforced', hints, where }: KnownKeys & { readonly where: string },
): readonly string[] {
  const misspelt: string[] = [];
  for (const key of Object.keys(table)) {
    if (read.includes(key)) continue;
    const hint = hints?.get(key);
    if (unenforced.includes(key)) {
      const message = `"${key}" is not ${lacks} by this version of clawai, so it is refused rather than ignored`;
      complain(to, [...path, key], message, hint);
      continue;
    }
    const meant = suggestName(key, [...read, ...unenforced]);
    if (meant !== undefined) misspelt.push(meant);
    const known = meant === undefined ? `known keys: ${read.join(', ')}` : `did you mean "${meant}"?`;
    complain(to, [...path, key], `unknown key "${key}" in ${where}`, hint ?? known);
  }
  return misspelt;
}

function nameOf(path: PolicyPath): string {
  const parts: string[] = [];
  for (const part of path) {
    if (typeof part === 'number') continue;
    parts.push(/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part));
  }
  const [first, ...rest] = parts;
  return first === 'rule' && rest.length > 0 ? rest.join('.') : parts.join('.');
}
