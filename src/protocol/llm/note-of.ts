import type { ModelCall } from './dialect.ts';
import { formatNote } from './note.ts';

/** What takes a denied call's place: a text that is never empty. APIs refuse a conversation with an empty one, for good. */
export function noteOf(note: string | undefined, { name }: Pick<ModelCall, 'name'>): string {
  if (note !== undefined && note.trim() !== '') return note;
  return formatNote(`The call of ${JSON.stringify(name)} was left out.`);
}
