import { describeEvidence } from '../../core/flow/words.ts';
import { objectsOf, textOf, type Fields } from './event-fields.ts';

/** Calls that are named in a line; the newest ones. */
const MOST_CALLS = 3;

/** What is recorded of a finding and may say what flows; empty texts where nothing is known. */
export interface RecordedFinding {
  readonly reason: string;
  readonly evidence: string;
  readonly encoding: string;
}

/** What flows, in words, never the value; empty where that is not known, or the reason says so already. */
export function valueBeside({ reason, evidence, encoding }: RecordedFinding): string {
  const value = describeEvidence({ description: evidence, encoding });
  return value === '' || reason.includes(value) ? '' : `value: ${value}`;
}

/**
 * What an event of a flow says besides its rule and its reason: the calls that it goes with, and what flows, where that is not in the reason. Its texts are as
 * recorded, and what an edit has made something else of is left out.
 */
export function describeFlow(fields: Fields): string {
  const related = objectsOf(fields, 'related_calls').map((call) => `${textOf(call, 'server_id')}:${textOf(call, 'tool_name')}`);
  const shown = related.slice(-MOST_CALLS);
  const more = related.length - shown.length;
  return [
    shown.length === 0 ? '' : `with ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
    valueBeside({
      reason: textOf(fields, 'reason'),
      evidence: textOf(fields, 'evidence'),
      encoding: textOf(fields, 'evidence_encoding'),
    }),
  ]
    .filter((part) => part !== '')
    .join(', ');
}
