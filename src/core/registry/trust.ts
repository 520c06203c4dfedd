import type { PinStatus, RegistryFacts } from '../facts.ts';
import type { Distrust } from '../finding.ts';
import type { PinRecord } from './definition.ts';
import { isFingerprint } from './fingerprint.ts';

/** The reason to distrust a call's subject, if any. @param trustFirstUse first sights count as approved */
export function findDistrust(facts: RegistryFacts, trustFirstUse: boolean): Distrust | undefined {
  const seen = facts.fingerprint === undefined ? {} : { fingerprint: facts.fingerprint };
  const { serverChange: change } = facts;
  // A person who trusts a new launch is also shown its changed definitions.
  if (facts.status === 'changed' && change?.of !== 'launch') return { what: 'changed', ...seen };
  if (facts.isServerChanged) return { what: 'server', ...seen, ...(change !== undefined && { change }) };
  if (trustFirstUse || facts.status === 'pinned') return undefined;
  return { what: facts.status, ...seen };
}

/** Identifies a distrust as text: a yes to one definition, or one launch, does not cover another. */
export function distrustIdentity({ what, fingerprint = '', change }: Distrust): string {
  return [what, fingerprint, ...(change === undefined ? [] : [change.of, change.fingerprint ?? ''])].join(' ');
}

/** Most fields of a launch that are listed one by one. */
const MOST_FIELDS = 3;

/** Describes a distrust for people and models: half a sentence whose subject is the called thing. */
export function describeDistrust({ what, change }: Distrust): string {
  if (what === 'changed') return 'its definition has changed since it was approved';
  if (what === 'new') return 'nobody has approved its definition yet';
  if (what === 'unlisted') return 'its server never listed it';
  if (change === undefined) return 'its server is started in another way, or gives other instructions, than when it was approved';
  if (change.of === 'instructions') return 'its server gives other instructions than when it was approved';
  const { fields } = change;
  const names = fields.slice(0, MOST_FIELDS).join(', ') + (fields.length > MOST_FIELDS ? ', …' : '');
  return `its server is started in another way than when it was approved${names === '' ? '' : ` (${names})`}`;
}

/** The status of a pin. A pin that is no fingerprint equals nothing. */
export function pinStatus(record: PinRecord | undefined): PinStatus {
  if (record === undefined) return 'unlisted';
  if (record.pinned === undefined) return 'new';
  return isPinned(record.pinned, record.seen) ? 'pinned' : 'changed';
}

/** Tells whether the seen fingerprint is the trusted one. */
export function isPinned(pinned: string, seen: string): boolean {
  return pinned === seen && isFingerprint(pinned);
}
