import type { ModelCall } from './dialect.ts';

/** Separates a model's text from the note after it, in one text. */
const SEPARATOR = '\n\n';

/** The beginning of a note whose call can be restored in a later request. */
export const MARKED_NOTE = '[clawai blk_';

/** Characters of a mark, from base64url. */
export const MARK_LENGTH = 16;

/** The beginning of the id of a message that replaces a denied call; a note's mark follows. For APIs whose messages have ids. */
export const NOTE_ID = 'msg_clawai_';

const BEGINNING = new RegExp(`^\\[clawai(?: blk_[\\w-]{${MARK_LENGTH}})?\\] `);

/** Formats the text that replaces a denied call. @param mark identifies the call, so that a later request can restore it */
export function formatNote(why: string, mark?: string): string {
  return mark === undefined ? `[clawai] ${why}` : `${MARKED_NOTE}${mark}] ${why}`;
}

/** Returns a note's text without its beginning. */
export function whyOf(note: string): string {
  return note.replace(BEGINNING, '');
}

/** Replaces the result of a denied call that the provider has run all the same. */
export const WITHHELD_RESULT = formatNote('The result of this call is withheld.');

/** Replaces a denied tool of the provider that a message adds. */
export const TAKEN_TOOL = formatNote('A tool that was added here is taken out: the policy denies it.');

/** Describes unknown content. @param what its general kind @param type its own type, of any length */
export function formatUnknown(what: string, type: string): string {
  return `${what} that clawai does not know (${JSON.stringify(type.slice(0, MOST_TYPE))}), which may be a tool call`;
}

/** Most characters of a type that are shown. */
const MOST_TYPE = 64;

/** Formats what a client is told when an answer can't be parsed any more and ends there. @param what the cause in the answer */
export function formatEnd(what: string): string {
  return `clawai ended this answer: it has ${what}.`;
}

/** Returns the note that replaces a denied call, never empty: APIs refuse a conversation with an empty text for good. */
export function noteOf(note: string | undefined, { name }: Pick<ModelCall, 'name'>): string {
  if (note !== undefined && note.trim() !== '') return note;
  return formatNote(`The call of ${JSON.stringify(name)} was left out.`);
}

/** Formats a note for appending to a text. @param hasText true if there is earlier text */
export function noteBehind(note: string, hasText: boolean): string {
  return hasText ? SEPARATOR + note : note;
}

/** Returns the model's text before a note that is removed. @param text up to the note */
export function textBefore(text: string): string {
  return text.endsWith(SEPARATOR) ? text.slice(0, -SEPARATOR.length) : text;
}

/**
 * Creates a test whether a marked note begins in a span; call it for spans in order. Most of a history contains none, and need not be
 * parsed.
 */
export function markFinder(text: string): (span: { readonly start: number; readonly end: number }) => boolean {
  let mark = -1;
  return ({ start, end }) => {
    if (mark < start) mark = text.indexOf(MARKED_NOTE, start);
    if (mark === -1) mark = text.length;
    return mark < end;
  };
}
