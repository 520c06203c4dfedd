import { CATEGORIES, type Category } from '../registry/category.ts';
import { complainOfType, type Complaints } from './complaints.ts';
import { complainOfCategory } from './parse-subject.ts';
import { parseGlobs } from './parse-texts.ts';
import { isTomlTable, type TomlValue } from './toml.ts';
import type { ClassifyGlobs } from './types.ts';

/** Reads `[classify]`: globs for names of tools, by the category that such tools have. One tool may be in several. */
export function parseClassify(value: TomlValue | undefined, to: Complaints): ClassifyGlobs {
  if (value === undefined) return {};
  if (!isTomlTable(value)) {
    complainOfType(to, ['classify'], value, 'a table');
    return {};
  }
  const globs: { [category in Category]?: readonly string[] } = {};
  for (const [key, list] of Object.entries(value)) {
    const category = CATEGORIES.find((known) => known === key);
    if (category === undefined) complainOfCategory(to, ['classify', key], key);
    else if (list !== undefined) globs[category] = parseGlobs(list, ['classify', key], to) ?? [];
  }
  return globs;
}
