import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { type Selection, selectArgs } from '../../../core/match/args.ts';
import type { MatchArg } from '../../../core/match/evaluate.ts';
import { matchesSelection } from '../../../core/match/match.ts';
import type { ArgStep } from '../../../core/policy/types.ts';

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

/**
 * Matches arguments of which some are not known, by those that are.
 *
 * @param onDoubt called where that does not settle it
 */
export function matchKnown(args: JsonObject | undefined, unknown: UnknownValues, onDoubt: () => void): MatchArg {
  return ({ matcher, path }, selection, options) => {
    const isAtEnd = [...selection.values, ...selection.embedded].some((value) => unknown.isUnknown(value));
    const isBefore = path !== undefined && isThroughUnknown(args, path, unknown);
    if (!unknown.isOpen && !isAtEnd && !isBefore) return matchesSelection(matcher, selection, options);
    const known = withoutUnknown(selection, unknown);
    const isPossible = options.mode === 'possible';
    const matches = matchesSelection(matcher, { ...known, incomplete: false }, options);
    // One value that matches is enough to deny, one that does not to allow nothing. There may be more than there seems.
    if (matcher.op === 'exists' || known.values.length === 0 || matches !== isPossible) onDoubt();
    return matches;
  };
}

function withoutUnknown(selection: Selection, { isUnknown }: UnknownValues): Selection {
  return {
    ...selection,
    values: selection.values.filter((value) => !isUnknown(value)),
    embedded: selection.embedded.filter((value) => !isUnknown(value)),
    keys: selection.keys.filter((key) => !isUnknown(key)),
  };
}

/** A mark may stand for an object, or for a text that is one: then what the path leads to may have been in there. */
function isThroughUnknown(args: JsonObject | undefined, path: readonly ArgStep[], { isUnknown }: UnknownValues): boolean {
  return path.some((_, length) => {
    const { values } = selectArgs(args, path.slice(0, length));
    return length > 0 && values.some((value) => typeof value === 'string' && isUnknown(value));
  });
}
