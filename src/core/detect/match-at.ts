import type { DetectionMatch } from './types.ts';

const MOST_TEXT = 200;
const MOST_CONTEXT = 50;

/** Matches characters without a visible shape, or that move others. Line ends and tabs count too, since a finding is one line. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/**
 * A match for a report: cut, with its surroundings, and with invisible characters written out (`U+200B`). Offsets are of UTF-16 in the
 * text.
 */
export function matchAt(sent: string, start: number, end: number, decoded?: string): DetectionMatch {
  const context =
    sent.slice(Math.max(0, start - MOST_CONTEXT), start) +
    sent.slice(start, end).slice(0, MOST_TEXT) +
    sent.slice(end, end + MOST_CONTEXT);
  const text = visibleText(sent.slice(start, Math.min(end, start + MOST_TEXT))).slice(0, MOST_TEXT);
  return { text, position: start, context: visibleText(context), ...(decoded !== undefined && { decoded }) };
}

/** The text with invisible characters written out. */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll(UNSEEN, (character) => {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
