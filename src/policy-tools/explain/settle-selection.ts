import { isContainer, isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { selectArgs, type Selection } from '../../core/match/args.ts';
import type { CompiledMatcher } from '../../core/match/compile-matcher.ts';
import { isSameScalar } from '../../core/match/distinct-values.ts';
import type { MatchOptions } from '../../core/match/match.ts';
import type { ArgStep } from '../../core/policy/types.ts';
import type { Because, SettlingValue } from './explanation.ts';
import { holdsFor, testValue } from './test-value.ts';

/** Values that are looked at; beyond, nothing is found, and the value itself is told of all the same. */
const MOST_NODES = 200_000;
/** Equal values to test for lying on the path. */
const MOST_EQUAL = 50;

/** The depth of matching; nothing deeper settles a condition. */
const MOST_DEPTH = 128;

interface Search {
  readonly wanted: Pick<SettlingValue, 'value' | 'where'>;
  readonly path: readonly ArgStep[];
  nodes: number;
  equal: number;
}

type Keys = readonly (string | number)[];

/** The origin of a selection. */
export interface SelectedFrom {
  readonly args: JsonObject | undefined;
  /** Undefined for a resource, which is no argument. */
  readonly path: readonly ArgStep[] | undefined;
  /** The result of `matchesSelection`. */
  readonly holds: boolean;
}

/** Explains why a matcher holds for a selection or does not. Asks the matching itself about each of the values. */
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
  const { prose, commands } = selection;
  const one = holds === isPossible ? findOne(matcher, all, { ...options, prose, commands }) : undefined;
  const { where, value } = one ?? { where: first.where, value: first.values[0] ?? null };
  const pointer = path === undefined ? undefined : findPointer(args, path, { where, value });
  const test = testValue(matcher, { value, isKey: where === 'key', prose, commands }, options);
  const count = where === 'key' ? keys.length : values.length + embedded.length;
  return { kind: 'value', settling: { where, pointer, value, test }, count };
}

interface Candidates {
  readonly where: SettlingValue['where'];
  readonly values: readonly JsonValue[];
}

/** The first value that matches, if one is enough; the first that does not, if all would have to. */
function findOne(
  matcher: CompiledMatcher,
  all: readonly Candidates[],
  { prose, commands, ...options }: MatchOptions & Pick<Selection, 'prose' | 'commands'>,
): Pick<SettlingValue, 'where' | 'value'> | undefined {
  const wanted = options.mode === 'possible';
  for (const { where, values } of all) {
    const isKey = where === 'key';
    const value = values.find((each) => holdsFor(matcher, { value: each, isKey, prose, commands }, options) === wanted);
    if (value !== undefined) return { where, value };
  }
  return undefined;
}

/**
 * Finds the JSON Pointer (RFC 6901) to the first place in the arguments that holds the value which a path leads to; to the text around it
 * if that is JSON; to the object that has the key. Undefined if it isn't found.
 */
export function findPointer(
  args: JsonObject | undefined,
  path: readonly ArgStep[],
  wanted: Search['wanted'],
): string | undefined {
  if (args === undefined) return undefined;
  const search: Search = { wanted, path, nodes: 0, equal: 0 };
  const keys = findKeys(search, args);
  return keys?.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Searches in the order of the text; without recursion, since arguments may be deep. */
function findKeys(search: Search, args: JsonObject): Keys | undefined {
  const stack: { readonly node: JsonValue; readonly keys: Keys }[] = [{ node: args, keys: [] }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    search.nodes += 1;
    if (search.nodes > MOST_NODES || search.equal > MOST_EQUAL) return undefined;
    const { node, keys } = at;
    if (isFound(search, node, keys)) return keys;
    if (keys.length > MOST_DEPTH) continue;
    if (Array.isArray(node)) {
      for (let i = node.length - 1; i >= 0; i--) stack.push({ node: node[i] as JsonValue, keys: [...keys, i] });
    } else if (isJsonObject(node)) {
      for (const [key, child] of Object.entries(node).toReversed()) stack.push({ node: child, keys: [...keys, key] });
    }
  }
  return undefined;
}

function isFound(search: Search, node: JsonValue, keys: Keys): boolean {
  const { value, where } = search.wanted;
  if (where === 'key') return isJsonObject(node) && typeof value === 'string' && Object.hasOwn(node, value);
  if (where === 'embedded') return typeof node === 'string' && keys.length > 0 && holdsEmbedded(search, node, keys);
  if (!isSameScalar(node, value)) return false;
  search.equal += 1;
  return selectArgs(branchTo(keys, node), search.path).values.some((each) => isSameScalar(each, value));
}

function holdsEmbedded(search: Search, text: string, keys: Keys): boolean {
  if (!isContainer(text)) return false;
  search.equal += 1;
  return selectArgs(branchTo(keys, text), search.path).embedded.some((each) => isSameScalar(each, search.wanted.value));
}

/** Arguments with nothing in them but the way to one value. */
function branchTo(keys: Keys, value: JsonValue): JsonObject {
  let node: JsonValue = value;
  for (const key of keys.toReversed()) node = typeof key === 'number' ? listWith(key, node) : { [key]: node };
  return isJsonObject(node) ? node : {};
}

/** The element keeps its place, as a path may name it. Lists with millions are not made anew for that. */
function listWith(at: number, value: JsonValue): JsonValue {
  return at > 1000 ? [value] : [...Array.from({ length: at }, () => null), value];
}
