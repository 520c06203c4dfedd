import type { PinRecord } from './definition.ts';
import type { PinStatus } from './facts.ts';
import { isFingerprint } from './fingerprint.ts';

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
