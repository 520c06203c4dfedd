import { suggestName } from '../../suggest.ts';
import { CATEGORIES, type Category } from '../registry/category.ts';
import { complain, type Complaints } from './complaints.ts';
import { parseTexts } from './parse-texts.ts';
import type { TomlValue } from './toml.ts';
import type { PolicyPath } from './types.ts';

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/;

/** Reads a rule's `category`: one, or a list of them. Undefined where there is none or it is faulty; then it was complained of. */
export function parseCategory(value: TomlValue | undefined, path: PolicyPath, to: Complaints): readonly Category[] | undefined {
  if (value === undefined) return undefined;
  const categories: Category[] = [];
  for (const { text, path: at } of parseTexts(value, path, to) ?? []) {
    const category = CATEGORIES.find((known) => known === text);
    if (category !== undefined) categories.push(category);
    else complainOfCategory(to, at, text);
  }
  return categories.length === 0 ? undefined : categories;
}

/** Says that there is no such category. */
export function complainOfCategory(to: Complaints, path: PolicyPath, text: string): void {
  const meant = suggestName(text, CATEGORIES);
  const hint = meant === undefined ? `categories: ${CATEGORIES.join(', ')}` : `did you mean "${meant}"?`;
  complain(to, path, `unknown category ${JSON.stringify(text)}`, hint);
}

/** Reads a rule's `fingerprint`: one, or a list of them, as `clawai mcp registry show` prints them. */
export function parseFingerprint(value: TomlValue | undefined, path: PolicyPath, to: Complaints): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const fingerprints: string[] = [];
  for (const { text, path: at } of parseTexts(value, path, to) ?? []) {
    if (FINGERPRINT.test(text)) fingerprints.push(text);
    else complain(to, at, `${JSON.stringify(text)} is no fingerprint`, 'a fingerprint is "sha256:" and 64 digits of 0-9a-f');
  }
  return fingerprints.length === 0 ? undefined : fingerprints;
}
