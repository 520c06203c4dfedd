import type { DetectionMatch } from './types.ts';

const MOST_TEXT = 200;
const MOST_CONTEXT = 50;

/** What has no shape of its own on a screen, or moves what has. Line ends and tabs are told too: a finding is one line. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** A place in a text as it is told: cut, with its surroundings, and with what cannot be seen written out (`U+200B`). Offsets are of UTF-16 in the text. */
export function matchAt(sent: string, start: number, end: number, decoded?: string): DetectionMatch {
  const context =
    sent.slice(Math.max(0, start - MOST_CONTEXT), start) +
    sent.slice(start, end).slice(0, MOST_TEXT) +
    sent.slice(end, end + MOST_CONTEXT);
  const text = visibleText(sent.slice(start, Math.min(end, start + MOST_TEXT))).slice(0, MOST_TEXT);
  return { text, position: start, context: visibleText(context), ...(decoded !== undefined && { decoded }) };
}

/** The text with what cannot be seen written out. */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll(UNSEEN, (character) => {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
