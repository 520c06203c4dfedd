import { expect, it } from 'vitest';
import { ExactNumber, type JsonObject } from '../../src/core/json.ts';
import { MACOS, POSIX, ruleMatches, WINDOWS } from '../support/policy.ts';

/**
 * Where file names have no case, a path-like pattern is folded, and a key or a number that it was held against was not: `**ENV` did not
 * even match the key `MYENV`.
 */
const FOLDING = [MACOS, WINDOWS];

const CASES: [pattern: string, args: JsonObject][] = [
  ['**ENV', { MYENV: 'x' }],
  ['**ENV', { MyEnv: 'x' }],
  ['**env', { options: { MYENV: 'x' } }],
  ['**E3', { limit: new ExactNumber('1E3') }],
];

it.each(CASES)('%s holds for a key and a number in any case', (pattern, args) => {
  for (const paths of FOLDING) expect(ruleMatches('deny', `args."**" = "${pattern}"`, args, { paths })).toBe(true);
});

it('an exception of an allow rule holds for them as well', () => {
  const args = { limit: new ExactNumber('1E3') };
  for (const paths of FOLDING) expect(ruleMatches('allow', 'args.limit = { not = "**E3" }', args, { paths })).toBe(false);
});

it('where case counts, it goes on to count', () => {
  expect(ruleMatches('deny', 'args."**" = "**ENV"', { MYENV: 'x' }, { paths: POSIX })).toBe(true);
  expect(ruleMatches('deny', 'args."**" = "**ENV"', { myenv: 'x' }, { paths: POSIX })).toBe(false);
});
