import type { Action } from '../core/decision.ts';
import { createLocator } from '../core/policy/locate.ts';
import { readTomlLayout } from '../core/policy/toml-layout.ts';
import { describeNeed } from '../core/policy/mutate/describe-need.ts';
import type { Policy } from '../core/policy/types.ts';
import type { Fixture } from './fixture-case.ts';
import { mutatePolicy } from './mutate-policy.ts';
import { Progress } from './notes.ts';
import type { Mutation } from './test-report.ts';

/**
 * Tries every mutant of a policy on fixtures that the policy passes, says how far it is, and places those that no fixture notices. A module
 * of its own, since who tests without mutants needs none of it.
 */
export function testMutants(policy: Policy, fixtures: readonly Fixture[], expect: Action | undefined): Mutation {
  let progress: Progress | undefined;
  const { killed, equivalent, survivors } = mutatePolicy(policy, fixtures, {
    expect,
    onProgress: (done, of) => (progress ??= new Progress('mutants', of)).show(done),
  });
  progress?.end();
  const { nearest: placeOf } = createLocator(readTomlLayout(policy.text));
  const placed = survivors.map((mutant) => {
    const { id, kind, what, path } = mutant;
    return { id, kind, change: what, need: describeNeed(mutant), ...placeOf(path) };
  });
  return { killed, equivalent, survivors: placed.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}
