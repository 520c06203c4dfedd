import { createHash } from 'node:crypto';
import { formatSseEvent } from '../../../sse/event.ts';
import { MARK_LENGTH, MARKED_NOTE, NOTE_ID } from '../../note.ts';

/** A message that takes the place of an item. */
export interface NoteItem {
  readonly id: string;
  readonly note: string;
}

/** @param place what distinguishes the note's place from others with the same note */
export function noteItem(note: string, place: string): NoteItem {
  const mark = note.startsWith(MARKED_NOTE)
    ? note.slice(MARKED_NOTE.length, MARKED_NOTE.length + MARK_LENGTH)
    : createHash('sha256')
        .update(JSON.stringify([place, note]))
        .digest('base64url')
        .slice(0, MARK_LENGTH);
  return { id: NOTE_ID + mark, note };
}

/** Returns the mark in the id of such a message; undefined if it is another id. */
export function markIn(id: string | undefined): string | undefined {
  return id?.startsWith(NOTE_ID) === true ? id.slice(NOTE_ID.length) : undefined;
}

/** Formats it as an item of a whole answer. */
export function formatNoteItem({ id, note }: NoteItem): string {
  return JSON.stringify({ id, type: 'message', status: 'completed', content: [partOf(note)], role: 'assistant' });
}

/**
 * Formats it as the six events of a message.
 *
 * @param index of the item in the answer
 * @param sequence numbers of the events that it replaces, in order; the last one is used for all further events
 */
export function formatNoteEvents({ id, note }: NoteItem, index: number, sequence: readonly number[]): string {
  const content = { item_id: id, output_index: index, content_index: 0 };
  const begun = { id, type: 'message', status: 'in_progress', content: [], role: 'assistant' };
  const done = { id, type: 'message', status: 'completed', content: [partOf(note)], role: 'assistant' };
  const events = [
    { type: 'response.output_item.added', output_index: index, item: begun },
    { type: 'response.content_part.added', ...content, part: partOf('') },
    { type: 'response.output_text.delta', ...content, delta: note, logprobs: [] },
    { type: 'response.output_text.done', ...content, text: note, logprobs: [] },
    { type: 'response.content_part.done', ...content, part: partOf(note) },
    { type: 'response.output_item.done', output_index: index, item: done },
  ];
  const last = sequence.length - 1;
  return events
    .map(({ type, ...rest }, at) => {
      // The last event keeps the number of the item's end.
      const number = at === events.length - 1 ? sequence[last] : sequence[Math.min(at, last)];
      const payload = { type, ...(number === undefined ? {} : { sequence_number: number }), ...rest };
      return formatSseEvent({ event: type, data: JSON.stringify(payload) });
    })
    .join('');
}

function partOf(text: string): object {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}
