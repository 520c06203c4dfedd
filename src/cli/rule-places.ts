import { readFile } from 'node:fs/promises';
import { locate } from '../core/policy/locate.ts';

/**
 * Where each rule of a policy file starts, as `file:line`, in file order. `count` is the number of its rules.
 * Loaded only for a report that has something to point at: placing things needs a second TOML parser.
 */
export async function findRulePlaces(file: string, count: number): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8');
  return Array.from({ length: count }, (_, index) => `${file}:${locate(text, ['rule', index]).line}`);
}
