import type { Mutation } from '../../src/policy-tools/mutate/mutant.ts';
import { policyFrom } from './policy.ts';

/** What one kind of mutation changes in a policy: `path: what`. */
export function changesIn(mutation: Mutation, text: string): readonly string[] {
  return mutation.changes(policyFrom(text)).map(({ path, what }) => `${path.join('.')}: ${what}`);
}
