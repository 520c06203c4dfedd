import { isTomlTable, parseToml, type TomlValue } from '../toml.ts';
import type { Policy, PolicyPath } from '../types.ts';
import type { Change } from './mutant.ts';

/**
 * Does this stand in the policy? What does not is as it is by default, and a policy is not asked to prove what it does not say.
 */
export type IsWritten = (...path: PolicyPath) => boolean;

/** Tells of a policy what is written in it. */
export function writtenIn({ text }: Pick<Policy, 'text'>): IsWritten {
  const toml = parseToml(text);
  return (...path) => {
    let value: TomlValue | undefined = toml.ok ? toml.table : undefined;
    for (const key of path) value = isTomlTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    return value !== undefined;
  };
}

/** A setting that could be another one. */
export interface SettingChange {
  readonly path: PolicyPath;
  /** What is put in place of what is in the policy. */
  readonly settings: Partial<Policy>;
  readonly what: string;
  readonly need: string;
}

export function changeSettings(policy: Policy, changes: readonly SettingChange[]): readonly Change[] {
  return changes.map(({ settings, ...change }) => ({ ...change, policy: { ...policy, ...settings } }));
}

/** What is not this one of a few words. */
export function otherThan<Word extends string>(word: Word, words: readonly Word[]): readonly Word[] {
  return words.filter((other) => other !== word);
}
