import { objectsOf, textOf, type Fields } from './event-fields.ts';

/** Calls that are named in a line; the newest ones. */
const MOST_CALLS = 3;

/** What is known of a value that flows, in words, never the value; empty where none was found. */
export function describeEvidence(evidence: string, encoding: string): string {
  if (evidence === '') return '';
  return encoding === '' || encoding === 'plain' ? evidence : `${evidence}, as ${encoding}`;
}

/**
 * What an event of a flow says besides its rule and its reason: the calls that it goes with, and what flows. Its texts are as
 * recorded, and what an edit has made something else of is left out.
 */
export function describeFlow(fields: Fields): string {
  const related = objectsOf(fields, 'related_calls').map((call) => `${textOf(call, 'server_id')}:${textOf(call, 'tool_name')}`);
  const shown = related.slice(-MOST_CALLS);
  const more = related.length - shown.length;
  const evidence = describeEvidence(textOf(fields, 'evidence'), textOf(fields, 'evidence_encoding'));
  return [
    shown.length === 0 ? '' : `with ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
    evidence === '' ? '' : `value: ${evidence}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
