import { compileRegexSet } from '../patterns/regex.ts';
import { createPlainDetector } from './create-plain-detector.ts';
import { matchAt } from './match-at.ts';
import type { CreateDetector, CustomPattern, Detection, DetectionMatch } from './types.ts';

/** Most matches of one pattern that are reported. */
const MOST_MATCHES = 3;

/** @returns matches of the patterns in a field; `plain` is its normalised text, which is searched too */
type FindCustom = (field: string, plain: string, sent: string) => readonly Detection[];

/** @see CreateDetector */
export const createDetector: CreateDetector = (rules) => {
  if (rules.patterns.length === 0) return createPlainDetector(rules);
  return createPlainDetector(rules, { findCustom: createCustomPatterns(rules.patterns) });
};

/**
 * Creates the search for a user's own patterns, in the text as sent and in the normalised one. Takes time linear in the text. A pattern
 * that does not compile is left out: its policy was refused for it. This loads the regex engine, so load its importer only if there are
 * patterns.
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
