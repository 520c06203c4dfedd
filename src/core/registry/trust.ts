import type { PinStatus, RegistryFacts } from '../facts.ts';
import type { Distrust } from '../finding.ts';
import type { PinRecord } from './definition.ts';
import { isFingerprint } from './fingerprint.ts';

/** What there is to distrust of a call's subject, if anything. @param trustFirstUse what is seen for the first time counts as approved */
export function findDistrust(facts: RegistryFacts, trustFirstUse: boolean): Distrust | undefined {
  const seen = facts.fingerprint === undefined ? {} : { fingerprint: facts.fingerprint };
  const { serverChange: change } = facts;
  // Whoever trusts the launch is shown what is different in its definitions, too.
  if (facts.status === 'changed' && change?.of !== 'launch') return { what: 'changed', ...seen };
  if (facts.isServerChanged) return { what: 'server', ...seen, ...(change !== undefined && { change }) };
  if (trustFirstUse || facts.status === 'pinned') return undefined;
  return { what: facts.status, ...seen };
}

/** What is distrusted, as text that nothing else has: a yes to one definition, or one launch, is none to another. */
export function distrustIdentity({ what, fingerprint = '', change }: Distrust): string {
  return [what, fingerprint, ...(change === undefined ? [] : [change.of, change.fingerprint ?? ''])].join(' ');
}

/** Fields of a launch that are told one by one. */
const MOST_FIELDS = 3;

/** What is distrusted and why, for people and models: half a sentence whose subject is what is called. */
export function describeDistrust({ what, change }: Distrust): string {
  if (what === 'changed') return 'its definition has changed since it was approved';
  if (what === 'new') return 'nobody has approved its definition yet';
  if (what === 'unlisted') return 'its server never listed it';
  if (change === undefined) return 'its server is started in another way, or gives other instructions, than when it was approved';
  if (change.of === 'instructions') return 'its server gives other instructions than when it was approved';
  const { fields } = change;
  const told = fields.slice(0, MOST_FIELDS).join(', ') + (fields.length > MOST_FIELDS ? ', …' : '');
  return `its server is started in another way than when it was approved${told === '' ? '' : ` (${told})`}`;
}

/** Whether a definition is the trusted one. A pin that is not a fingerprint is nothing that anything equals. */
export function pinStatus(record: PinRecord | undefined): PinStatus {
  if (record === undefined) return 'unlisted';
  if (record.pinned === undefined) return 'new';
  return isPinned(record.pinned, record.seen) ? 'pinned' : 'changed';
}

/** Is what was seen what is trusted? */
export function isPinned(pinned: string, seen: string): boolean {
  return pinned === seen && isFingerprint(pinned);
}
