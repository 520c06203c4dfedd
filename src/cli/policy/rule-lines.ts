import { findRuleHeaders } from '../../core/policy/rule-headers.ts';

/**
 * The line, from 1, on which each rule of a policy's text starts, in file order. `count` is the number of its rules. Only where rules are written in a rare way is it read by a second TOML parser, which takes long.
 */
export async function linesOfRules(text: string, count: number): Promise<readonly number[]> {
  const found = findRuleHeaders(text);
  if (found.length === count) return found;
  const { createLocator } = await import('../../core/policy/locate.ts');
  const { readTomlLayout } = await import('../../core/policy/toml-layout.ts');
  const { nearest } = createLocator(readTomlLayout(text));
  return Array.from({ length: count }, (_, index) => nearest(['rule', index]).line);
}
