import type { Call } from '../core/call.ts';
import type { Decision } from '../core/decision.ts';
import type { Answer } from './approver-port.ts';
import type { CallRecord } from './ports.ts';
import type { KeptSighting } from './sighting-port.ts';

/** What a review has to do with a call's being seen twice. Each is called while the recorder is open, and throws where the store fails. */
export interface CallSightings {
  /** What a person has answered, where the call was seen before, to the very question that this decision asks. */
  answerTo(call: Call, decision: Decision): Answer | undefined;
  /** Takes the earlier sighting of a call that is about to be recorded: no other call has it from then on. */
  take(call: Call): KeptSighting | undefined;
  /** Notes a call that was recorded. */
  note(record: CallRecord, seen: Seen): void;
}

/** How a recorded call was seen. */
export interface Seen {
  /** Nothing keeps it from where it goes. */
  readonly hasGoneOn: boolean;
  /** What was taken for it. */
  readonly before: KeptSighting | undefined;
}

/** For calls that can be seen only once. */
export const SEEN_ONCE: CallSightings = { answerTo: () => undefined, take: () => undefined, note: () => {} };
