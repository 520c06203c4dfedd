import { suggestName } from '../../suggest.ts';
import { complain, complainOfType, type Complaints } from './complaints.ts';
import type { TomlTable } from './toml.ts';
import type { PolicyPath } from './types.ts';

/** A table of a policy, where it stands, and who hears what is wrong with it. */
export interface Place {
  readonly table: TomlTable;
  readonly path: PolicyPath;
  readonly to: Complaints;
}

/** True, false, or undefined where there is neither. */
export function readFlag({ table, path, to }: Place, key: string): boolean | undefined {
  const value = table[key];
  if (value === undefined || typeof value === 'boolean') return value;
  complainOfType(to, [...path, key], value, 'true or false');
  return undefined;
}

interface Words<T extends string> {
  readonly words: readonly T[];
  /** What a message calls one of them. */
  readonly noun: string;
}

/** One of these words, or undefined where there is none of them. */
export function readWord<T extends string>({ table, path, to }: Place, key: string, { words, noun }: Words<T>): T | undefined {
  const value = table[key];
  const word = words.find((known) => known === value);
  if (value === undefined || word !== undefined) return word;
  if (typeof value !== 'string') complainOfType(to, [...path, key], value, words.map((known) => `"${known}"`).join(' or '));
  else {
    const meant = suggestName(value, words);
    const hint = meant === undefined ? `it is one of: ${words.join(', ')}` : `did you mean "${meant}"?`;
    complain(to, [...path, key], `unknown ${noun} ${JSON.stringify(value)}`, hint);
  }
  return undefined;
}
