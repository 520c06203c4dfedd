import type { JsonObject, JsonValue } from '../../json.ts';
import type { Selection } from '../args.ts';
import type { CompiledMatcher } from '../compile-matcher.ts';
import { type MatchOptions, matchesSelection } from '../match.ts';
import type { ArgStep } from '../types.ts';
import type { Because, SettlingValue } from './explanation.ts';
import { findPointer } from './find-pointer.ts';
import { holdsFor, testValue } from './test-value.ts';

/** Where a selection was made. */
export interface SelectedFrom {
  readonly args: JsonObject | undefined;
  /** Undefined for a resource, which is no argument. */
  readonly path: readonly ArgStep[] | undefined;
}

interface Candidate {
  readonly where: SettlingValue['where'];
  readonly value: JsonValue;
}

/** Why a matcher holds for what a path selected, or does not. Asks the matching itself about each of the values. */
export function settleSelection(
  matcher: CompiledMatcher,
  selection: Selection,
  { args, path, ...options }: MatchOptions & SelectedFrom,
): Because {
  const { values, embedded, keys, incomplete, tooDeep } = selection;
  if (tooDeep) return { kind: 'too_deep' };
  const count = values.length + embedded.length;
  const isPossible = options.mode === 'possible';
  if (matcher.op === 'exists' && !matcher.present) {
    if (values.length === 0) return { kind: 'absent' };
    return incomplete && isPossible ? { kind: 'incomplete' } : { kind: 'present', count: values.length };
  }
  const holds = matchesSelection(matcher, selection, options);
  if (!isPossible && values.length > 0 && incomplete) return { kind: 'incomplete' };
  const all: readonly Candidate[] = [
    ...values.map((value): Candidate => ({ where: 'value', value })),
    ...embedded.map((value): Candidate => ({ where: 'embedded', value })),
    ...(isPossible ? keys : []).map((value): Candidate => ({ where: 'key', value })),
  ];
  const [first] = all;
  if (first === undefined || (!isPossible && values.length === 0)) return { kind: 'absent' };
  // One that matches is enough for a possible match, and one that does not spoils a certain one; else all do or none does.
  const one = holds === isPossible ? all.find((each) => isHeld(matcher, each, options) === isPossible) : undefined;
  const { where, value } = one ?? first;
  const pointer = path === undefined ? undefined : findPointer(args, path, { where, value });
  const test = testValue(matcher, { value, isKey: where === 'key' }, options);
  return { kind: 'value', settling: { where, pointer, value, test }, count: where === 'key' ? keys.length : count };
}

function isHeld(matcher: CompiledMatcher, { where, value }: Candidate, options: MatchOptions): boolean {
  return holdsFor(matcher, { value, isKey: where === 'key' }, options);
}
