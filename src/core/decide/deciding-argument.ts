import type { Call } from '../call.ts';
import type { Decision, RuleRef } from '../decision.ts';
import { hasMoreValues, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { Reading } from '../match/reading.ts';
import { decideByPolicies } from './decide.ts';
import type { Snapshot } from './snapshot.ts';

/** Calls with more arguments, and longer texts, are not searched: a denial must not cost much more than an allowed call. */
const MOST_VALUES = 64;
const LONGEST = 16 * 1024;
/** Longer names are not repeated. */
const LONGEST_NAME = 40;
const MOST_DEPTH = 4;

/** Adds the argument that a rule denies or asks about. */
export function withArgument(decision: Decision, call: Call, snapshot: Snapshot): Decision {
  if (decision.action === 'allow' || decision.reason !== 'rule' || decision.rule === undefined) return decision;
  const argument = decidingArgument(call, snapshot, decision.rule);
  return argument === undefined ? decision : { ...decision, argument };
}

/**
 * The argument that alone makes a rule match a call, such as `path` or `entities.0.name`: a model or a person who reads a denial sees what
 * it is about. Undefined if the rule matches without arguments too, if it takes several, or if the arguments are too many to search.
 */
function decidingArgument(call: Call, snapshot: Snapshot, rule: RuleRef): string | undefined {
  const { args } = call;
  if (args === undefined || call.like !== undefined || hasMoreValues(args, MOST_VALUES) || hasLongText(args)) return undefined;
  const decides = (some: JsonObject): boolean => {
    const decision = decideByPolicies({ ...call, args: some }, { ...snapshot, reading: new Reading(snapshot.paths) });
    return decision.rule?.index === rule.index && decision.rule.source === rule.source;
  };
  if (decides({})) return undefined;
  const path: string[] = [];
  let node: JsonValue = args;
  let wrap = (inner: JsonObject | JsonValue[]): JsonObject => inner as JsonObject;
  while ((isJsonObject(node) || Array.isArray(node)) && path.length < MOST_DEPTH) {
    const found: readonly [string, JsonValue] | undefined = Object.entries(node).find(([key, value]) =>
      decides(wrap(only(node, key, value))),
    );
    if (found === undefined || !/^[\w.-]+$/.test(found[0]) || found[0].length > LONGEST_NAME) break;
    const [key, value]: readonly [string, JsonValue] = found;
    const [outer, holder] = [wrap, node];
    wrap = (inner) => outer(only(holder, key, inner));
    path.push(key);
    node = value;
  }
  return path.length === 0 ? undefined : path.join('.');
}

/** The object or list with only this member. */
function only(holder: JsonValue, key: string, value: JsonValue): JsonObject | JsonValue[] {
  return Array.isArray(holder) ? [value] : { [key]: value };
}

function hasLongText(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length > LONGEST;
  if (Array.isArray(value)) return value.some(hasLongText);
  return isJsonObject(value) && Object.values(value).some(hasLongText);
}
