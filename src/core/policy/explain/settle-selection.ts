import type { JsonObject, JsonValue } from '../../json.ts';
import type { Selection } from '../args.ts';
import type { CompiledMatcher } from '../compile-matcher.ts';
import type { MatchOptions } from '../match.ts';
import type { ArgStep } from '../types.ts';
import type { Because, SettlingValue } from './explanation.ts';
import { findPointer } from './find-pointer.ts';
import { holdsFor, testValue } from './test-value.ts';

/** Where a selection was made. */
export interface SelectedFrom {
  readonly args: JsonObject | undefined;
  /** Undefined for a resource, which is no argument. */
  readonly path: readonly ArgStep[] | undefined;
  /** What `matchesSelection` says. */
  readonly holds: boolean;
}

/** Why a matcher holds for what a path selected, or does not. Asks the matching itself about each of the values. */
export function settleSelection(
  matcher: CompiledMatcher,
  selection: Selection,
  { args, path, holds, ...options }: MatchOptions & SelectedFrom,
): Because {
  const { values, embedded, keys, incomplete, tooDeep } = selection;
  if (tooDeep) return { kind: 'too_deep' };
  const isPossible = options.mode === 'possible';
  if (matcher.op === 'exists' && !matcher.present) {
    if (values.length === 0) return { kind: 'absent' };
    return incomplete && isPossible ? { kind: 'incomplete' } : { kind: 'present', count: values.length };
  }
  if (!isPossible && values.length > 0 && incomplete) return { kind: 'incomplete' };
  const all: readonly Candidates[] = [
    { where: 'value', values },
    { where: 'embedded', values: embedded },
    { where: 'key', values: isPossible ? keys : [] },
  ];
  const first = all.find((each) => each.values.length > 0);
  if (first === undefined || (!isPossible && values.length === 0)) return { kind: 'absent' };
  // One that matches is enough for a possible match, and one that does not spoils a certain one; else all do or none does.
  const { prose } = selection;
  const one = holds === isPossible ? findOne(matcher, all, { ...options, prose }) : undefined;
  const { where, value } = one ?? { where: first.where, value: first.values[0] ?? null };
  const pointer = path === undefined ? undefined : findPointer(args, path, { where, value });
  const test = testValue(matcher, { value, isKey: where === 'key', prose }, options);
  const count = where === 'key' ? keys.length : values.length + embedded.length;
  return { kind: 'value', settling: { where, pointer, value, test }, count };
}

interface Candidates {
  readonly where: SettlingValue['where'];
  readonly values: readonly JsonValue[];
}

/** The first that matches, where any does; the first that does not, where all would have to. */
function findOne(
  matcher: CompiledMatcher,
  all: readonly Candidates[],
  { prose, ...options }: MatchOptions & Pick<Selection, 'prose'>,
): Pick<SettlingValue, 'where' | 'value'> | undefined {
  const wanted = options.mode === 'possible';
  for (const { where, values } of all) {
    const isKey = where === 'key';
    const value = values.find((each) => holdsFor(matcher, { value: each, isKey, prose }, options) === wanted);
    if (value !== undefined) return { where, value };
  }
  return undefined;
}
