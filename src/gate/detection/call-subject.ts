import type { Call } from '../../core/call.ts';
import type { DetectionRecord } from '../ports/records.ts';

/** The subject of a call, as a record names it. */
export function subjectOf(call: Call | undefined): DetectionRecord['subject'] {
  if (call?.tool !== undefined) return { kind: 'tool', name: call.tool };
  if (call?.resource !== undefined) return { kind: 'resource', name: call.resource };
  return call?.prompt === undefined ? undefined : { kind: 'prompt', name: call.prompt };
}
