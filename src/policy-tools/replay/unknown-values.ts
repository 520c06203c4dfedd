import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';

/** What of a call's arguments a record does not have. */
export interface UnknownValues {
  /** Members may be missing, or have other names: what is not found may have been there. */
  readonly isOpen: boolean;
  /** Is this value, or something in it, not what was sent? */
  isUnknown(value: JsonValue): boolean;
}

/** How a secret is told from all else in a record. A text that was sent like this can't be told from one. */
const REDACTED = /\[redacted:[\w -]+\]/;

/** The end of a text that was cut, and what stands for what was left out. */
const CUT = /…\(\d+ more\)$|^…(?: \(\d+\))?$/;

/** The only reason for which nothing but the end of a text was left out. What a later version may say counts as more. */
const OF_TEXTS = 'too_long';

/** Nothing of it is on record. */
const ALL: UnknownValues = { isOpen: true, isUnknown: () => true };

/** Was something in this text replaced when it was recorded? */
export function isRedacted(text: string): boolean {
  return text.includes('[redacted:') && REDACTED.test(text);
}

/**
 * Finds what was replaced or cut off when a call's arguments were recorded; undefined where nothing was.
 *
 * @param cuts why something was cut, as the record says; undefined where it does not say, and then whatever looks like a cut is one
 */
export function findUnknownValues(args: JsonObject | undefined, cuts: readonly string[] | undefined): UnknownValues | undefined {
  const mayBeCut = cuts === undefined || cuts.length > 0;
  if (args === undefined) return cuts !== undefined && mayBeCut ? ALL : undefined;
  const isText = (text: string): boolean => isRedacted(text) || (mayBeCut && CUT.test(text));
  const isUnknown = (value: JsonValue): boolean => {
    if (typeof value === 'string') return isText(value);
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
    return isJsonObject(value)
      ? Object.entries(value).some(([name, member]) => isText(name) || isUnknown(member))
      : (value as readonly JsonValue[]).some(isUnknown);
  };
  // Where something was cut and nothing shows where, it may have been anything.
  if (!isUnknown(args)) return cuts !== undefined && mayBeCut ? { isOpen: true, isUnknown } : undefined;
  const hasOther = (value: JsonValue): boolean => {
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
    if (!isJsonObject(value)) return (value as readonly JsonValue[]).some(hasOther);
    return Object.entries(value).some(([name, member]) => isText(name) || hasOther(member));
  };
  const isOpen = cuts === undefined ? mayBeOpen(args, isText) : cuts.some((reason) => reason !== OF_TEXTS);
  return { isOpen: isOpen || hasOther(args), isUnknown };
}

/** Without a word about what was cut, anything that stands for more may stand for members. */
function mayBeOpen(value: JsonValue, isText: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isText(value) && !isRedacted(value);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
  const members = isJsonObject(value) ? Object.values(value) : (value as readonly JsonValue[]);
  return members.some((member) => mayBeOpen(member, isText));
}
