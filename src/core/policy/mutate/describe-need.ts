import { findWitness } from './glob-samples.ts';
import type { Mutant } from './mutant.ts';

/**
 * What a fixture would have to be about to notice a mutant. Where only globs were changed, with a text that one of the two matches and the
 * other does not.
 */
export function describeNeed({ need, globs }: Mutant): string {
  if (globs === undefined) return need;
  const { rule, field, isException, before, after } = globs;
  const lost = findWitness(before, after);
  const text = lost ?? findWitness(after, before);
  if (text === undefined) return need;
  // What an exception matches, its rule leaves alone.
  const isDecided = (lost !== undefined) !== isException;
  // The text by itself may be outside of what the rule is about.
  const all = isException ? ` and all else that ${rule} asks,` : '';
  return `a call with ${field} such as ${JSON.stringify(text)}${all} that ${rule} ${isDecided ? 'decides' : 'leaves alone'}`;
}
