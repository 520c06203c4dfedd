import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { type Selection, selectArgs } from '../../../core/match/args.ts';
import type { MatchArg } from '../../../core/match/evaluate.ts';
import { matchesSelection } from '../../../core/match/match.ts';
import type { ArgStep } from '../../../core/policy/types.ts';

/** The values of a call's arguments that a record lacks. */
export interface UnknownValues {
  /** True if members may be missing or renamed: those that are not found may have been there. */
  readonly isOpen: boolean;
  /** Tells whether this value, or a part of it, is not what was sent. */
  isUnknown(value: JsonValue): boolean;
}

/** The mark of a secret in a record. A text that was sent like this can't be told from one. */
const REDACTED = /\[redacted:[\w -]+\]/;

/** The end of a text that was cut, and what stands for what was left out. */
const CUT = /…\(\d+ more\)$|^…(?: \(\d+\))?$/;

/** The only reason that cuts just the end of a text. Any other, also of a later version, may have cut more. */
const OF_TEXTS = 'too_long';

/** Arguments of which nothing is on record. */
const ALL: UnknownValues = { isOpen: true, isUnknown: () => true };

/** Tells whether part of this text was replaced when it was recorded. */
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
  // If something was cut and no mark shows where, any value may be affected.
  if (!isUnknown(args)) return cuts !== undefined && mayBeCut ? { isOpen: true, isUnknown } : undefined;
  const hasOther = (value: JsonValue): boolean => {
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
    if (!isJsonObject(value)) return (value as readonly JsonValue[]).some(hasOther);
    return Object.entries(value).some(([name, member]) => isText(name) || hasOther(member));
  };
  const isOpen = cuts === undefined ? mayBeOpen(args, isText) : cuts.some((reason) => reason !== OF_TEXTS);
  return { isOpen: isOpen || hasOther(args), isUnknown };
}

/** Tells whether members may be missing if no reasons are on record: any mark of a cut may stand for them. */
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

/** Tells whether the path leads through a mark, which may stand for an object or a JSON text with the value in it. */
function isThroughUnknown(args: JsonObject | undefined, path: readonly ArgStep[], { isUnknown }: UnknownValues): boolean {
  return path.some((_, length) => {
    const { values } = selectArgs(args, path.slice(0, length));
    return length > 0 && values.some((value) => typeof value === 'string' && isUnknown(value));
  });
}
