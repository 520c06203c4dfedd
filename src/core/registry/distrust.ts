import type { Distrust } from '../decision.ts';
import type { RegistryFacts } from './facts.ts';

/** What there is to distrust of a call's subject, if anything. @param trustFirstUse what is seen for the first time counts as approved */
export function findDistrust(facts: RegistryFacts, trustFirstUse: boolean): Distrust | undefined {
  const seen = facts.fingerprint === undefined ? {} : { fingerprint: facts.fingerprint };
  if (facts.status === 'changed') return { what: 'changed', ...seen };
  if (facts.isServerChanged) return { what: 'server', ...seen };
  if (trustFirstUse || facts.status === 'pinned') return undefined;
  return { what: facts.status, ...seen };
}

/** What is distrusted and why, for people and models: half a sentence whose subject is what is called. */
export function describeDistrust({ what }: Distrust): string {
  if (what === 'changed') return 'its definition has changed since it was approved';
  if (what === 'new') return 'nobody has approved its definition yet';
  if (what === 'unlisted') return 'its server never listed it';
  return 'its server is started in another way, or gives other instructions, than when it was approved';
}
