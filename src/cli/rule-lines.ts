import { readFile } from 'node:fs/promises';
import { locateAll } from '../core/policy/locate.ts';

/**
 * The line, from 1, on which each rule of a policy file starts, in file order. `count` is the number of its rules.
 * Loaded only for a report that has something to point at: placing things needs a second TOML parser.
 */
export async function findRuleLines(file: string, count: number): Promise<readonly number[]> {
  const text = await readFile(file, 'utf8');
  const paths = Array.from({ length: count }, (_, index) => ['rule', index]);
  return locateAll(text, paths).map(({ line }) => line);
}
