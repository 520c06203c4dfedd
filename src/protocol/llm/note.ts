import type { ModelCall } from './dialect.ts';

/** Between what a model says and the note behind it, which is part of the same text. */
const SEPARATOR = '\n\n';

/** How a note begins whose call can be told again in a later request. */
export const MARKED_NOTE = '[clawai blk_';

/** Letters of a mark; they are those of base64url. */
export const MARK_LENGTH = 16;

const BEGINNING = new RegExp(`^\\[clawai(?: blk_[\\w-]{${MARK_LENGTH}})?\\] `);

/** The text that takes a denied call's place. @param mark names the call, so that a later request can have it again */
export function formatNote(why: string, mark?: string): string {
  return mark === undefined ? `[clawai] ${why}` : `${MARKED_NOTE}${mark}] ${why}`;
}

/** What a note says, without what it begins with. */
export function whyOf(note: string): string {
  return note.replace(BEGINNING, '');
}

/** The text that takes the place of what a denied call came to, where the provider has made it all the same. */
export const WITHHELD_RESULT = formatNote('The result of this call is withheld.');

/** The text that takes the place of a tool that a message adds, and that the provider would run. */
export const TAKEN_TOOL = formatNote('A tool that was added here is taken out: the policy denies it.');

/** What is wrong with what nobody knows. @param what of what kind it is @param type how it calls itself, of any length */
export function formatUnknown(what: string, type: string): string {
  return `${what} that clawai does not know (${JSON.stringify(type.slice(0, MOST_TYPE))}), which may be a tool call`;
}

/** Characters of a name that is told. */
const MOST_TYPE = 64;

/** What a client is told where an answer can't be followed any more, so that nothing of it comes from there on. @param what is in it */
export function formatEnd(what: string): string {
  return `clawai ended this answer: it has ${what}.`;
}

/** What takes a denied call's place: a text that is never empty. APIs refuse a conversation with an empty one, for good. */
export function noteOf(note: string | undefined, { name }: Pick<ModelCall, 'name'>): string {
  if (note !== undefined && note.trim() !== '') return note;
  return formatNote(`The call of ${JSON.stringify(name)} was left out.`);
}

/** What a note adds to what has been said. @param hasText something has been */
export function noteBehind(note: string, hasText: boolean): string {
  return hasText ? SEPARATOR + note : note;
}

/** What was said before a note that is taken out again. @param text up to the note */
export function saidBefore(text: string): string {
  return text.endsWith(SEPARATOR) ? text.slice(0, -SEPARATOR.length) : text;
}

/** Tells of spans of a text, in their order, whether a marked note begins in them: most of a history has none, and is not looked into. */
export function markFinder(text: string): (span: { readonly start: number; readonly end: number }) => boolean {
  let mark = -1;
  return ({ start, end }) => {
    if (mark < start) mark = text.indexOf(MARKED_NOTE, start);
    if (mark === -1) mark = text.length;
    return mark < end;
  };
}
