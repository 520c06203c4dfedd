import { compileRegexSet } from '../patterns/regex.ts';
import { createPlainDetector } from './create-plain-detector.ts';
import { matchAt } from './match-at.ts';
import type { CreateDetector, CustomPattern, Detection, DetectionMatch } from './types.ts';

/** How many places of one pattern are told. */
const MOST_MATCHES = 3;

/** @returns what the patterns find in a field; `plain` is its normalised text, in which they are looked for too */
type FindCustom = (field: string, plain: string, sent: string) => readonly Detection[];

/** @see CreateDetector */
export const createDetector: CreateDetector = (rules) => {
  if (rules.patterns.length === 0) return createPlainDetector(rules);
  return createPlainDetector(rules, { findCustom: createCustomPatterns(rules.patterns) });
};

/**
 * Makes the search for a user's own patterns, in the text as sent and in the normalised one. It takes time linear in the text. A pattern that does not compile is left
 * out: the policy it came from was refused for it. Loads the regex engine, so that its importer should be loaded only where there are patterns.
 */
export function createCustomPatterns(patterns: readonly CustomPattern[]): FindCustom {
  const set = compileRegexSet(patterns.map(({ pattern }) => pattern));
  return (field, plain, sent) => {
    const inSent = set.matching(sent);
    const inPlain = plain === sent ? [] : set.matching(plain);
    return patterns.flatMap(({ name, severity, description }, index) => {
      if (!inSent.includes(index) && !inPlain.includes(index)) return [];
      const matches = placesOf(index, inSent.includes(index) ? sent : plain);
      return [{ rule: `custom.${name}`, family: 'custom', severity, description, field, matches } as const];
    });
  };

  function placesOf(index: number, text: string): DetectionMatch[] {
    return set.places(index, text, MOST_MATCHES).map(({ start, end }) => matchAt(text, start, end));
  }
}
