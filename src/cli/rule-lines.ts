import { readFile } from 'node:fs/promises';
import { locate } from '../core/policy/locate.ts';

/**
 * The line, from 1, on which each rule of a policy file starts, in file order. `count` is the number of its rules.
 * Loaded only for a report that has something to point at: placing things needs a second TOML parser.
 */
export async function findRuleLines(file: string, count: number): Promise<readonly number[]> {
  const text = await readFile(file, 'utf8');
  return Array.from({ length: count }, (_, index) => locate(text, ['rule', index]).line);
}
