import { suggestName } from '../../suggest.ts';
import type { RegexCompiler } from '../patterns/regex.ts';
import { describeToml, type TomlTable, type TomlValue } from './toml.ts';
import type { PolicyError, PolicyPath } from './types.ts';

/** What parsing collects on its way: a file is read to its end, so that a person sees every fault at once. */
export interface Faults {
  readonly errors: PolicyError[];
}

/** The same for a policy. */
export interface Complaints extends Faults {
  readonly regex: RegexCompiler | undefined;
  /** Set when a `regex` was met without a compiler. */
  needsRegex: boolean;
}

export function complain(to: Faults, path: PolicyPath, message: string, hint?: string): void {
  to.errors.push(hint === undefined ? { path, message } : { path, message, hint });
}

export function complainOfType(to: Faults, path: PolicyPath, value: TomlValue, wanted: string): void {
  complain(to, path, `${nameOf(path)} must be ${wanted}, not ${describeToml(value)}`);
}

/** What the keys of one table may be: those that are read, and those of the documented format that this version leaves out. */
export interface KnownKeys {
  readonly read: readonly string[];
  readonly unenforced: readonly string[];
  /** What this version does not do with the latter; `enforced` where nothing else is said. */
  readonly lacks?: string;
  /** What other programs call a key that is read here. */
  readonly otherNames?: ReadonlyMap<string, string>;
  /** Keys that another file has, e.g. config.toml: who writes one of them here is told where it belongs. */
  readonly elsewhere?: { readonly keys: readonly string[]; readonly file: string };
}

/** Complains of every key that is not read; `where` is the table's name in the message. */
export function checkKeys(to: Faults, path: PolicyPath, table: TomlTable, known: KnownKeys & { readonly where: string }): void {
  for (const key of Object.keys(table)) {
    if (known.read.includes(key)) continue;
    if (known.unenforced.includes(key)) {
      const lacks = known.lacks ?? 'enforced';
      complain(to, [...path, key], `"${key}" is not ${lacks} by this version of clawai, so it is refused rather than ignored`);
      continue;
    }
    if (known.elsewhere?.keys.includes(key) === true) {
      complain(to, [...path, key], `unknown key "${key}" in ${known.where}`, `it belongs into ${known.elsewhere.file}`);
      continue;
    }
    const meant = known.otherNames?.get(key) ?? suggestName(key, [...known.read, ...known.unenforced]);
    const hint = meant === undefined ? `known keys: ${known.read.join(', ')}` : `did you mean "${meant}"?`;
    complain(to, [...path, key], `unknown key "${key}" in ${known.where}`, hint);
  }
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
