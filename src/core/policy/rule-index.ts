import type { Call } from '../call.ts';
import type { CompiledMatcher } from './compile-matcher.ts';
import type { CompiledRule } from './compiled-policy.ts';
import { matchesNames } from './evaluate.ts';
import { matchesName } from './match-name.ts';

/** Finds the rules whose method, server and names match a call, without looking at each rule. */
export interface RuleIndex {
  /** In file order. */
  candidates(call: Call): readonly CompiledRule[];
  concernsMethod(method: string): boolean;
}

/** Calls remembered. Names come from peers who may send a new one each time, so the memo is emptied when it is full. */
const MEMO_SIZE = 4096;
/** Longer names are not worth the memory. */
const MEMO_NAME = 256;
/** Literal beginnings are told apart up to this length. */
const LONGEST_PREFIX = 24;

export function createRuleIndex(rules: readonly CompiledRule[]): RuleIndex {
  const byMethod = new Map<string, MethodIndex>();
  const namedMethods = new Set(rules.flatMap((rule) => literalMethods(rule) ?? []));
  const openRules = rules.filter((rule) => literalMethods(rule) === undefined);
  const indexOf = (method: string): MethodIndex => {
    // Only methods that a rule names get an index of their own; the others, whatever a peer calls them, share one.
    const key = namedMethods.has(method) ? method : '';
    let index = byMethod.get(key);
    if (index === undefined) {
      index = createMethodIndex(key === '' ? openRules : rules.filter((rule) => literalMethods(rule)?.includes(method) ?? true));
      byMethod.set(key, index);
    }
    return index;
  };
  return {
    candidates: (call) => indexOf(call.method)(call),
    concernsMethod: (method) =>
      namedMethods.has(method) || openRules.some((rule) => rule.method !== undefined && matchesName(rule.method, method)),
  };
}

type MethodIndex = (call: Call) => readonly CompiledRule[];

/** The only methods that a rule can match, where that is a list of literal names. */
function literalMethods(rule: CompiledRule): readonly string[] | undefined {
  if (rule.method !== undefined) return literals(rule.method);
  if (rule.tool !== undefined) return ['tools/call'];
  if (rule.resource !== undefined) return ['resources/read'];
  return rule.prompt === undefined ? undefined : ['prompts/get'];
}

function literals(matcher: CompiledMatcher): string[] | undefined {
  if (matcher.op === 'equals') return typeof matcher.value === 'string' ? [matcher.value] : undefined;
  if (matcher.op !== 'globs' || !matcher.plain.every(({ isLiteral }) => isLiteral)) return undefined;
  return matcher.plain.map(({ literalPrefix }) => literalPrefix);
}

function createMethodIndex(rules: readonly CompiledRule[]): MethodIndex {
  const names = createNameIndex(rules);
  const memo = new Map<string, Map<string, Map<string, readonly CompiledRule[]>>>();
  let size = 0;
  return (call) => {
    const name = call.tool ?? call.prompt ?? '';
    const known = memo.get(call.method)?.get(call.server)?.get(name);
    if (known !== undefined) return known;
    const found = names(name).filter((rule) => matchesNames(rule, call));
    if (name.length > MEMO_NAME || call.server.length > MEMO_NAME || call.method.length > MEMO_NAME) return found;
    if (size >= MEMO_SIZE) {
      memo.clear();
      size = 0;
    }
    size += 1;
    entry(entry(memo, call.method), call.server).set(name, found);
    return found;
  };
}

function entry<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let inner = map.get(key);
  if (inner === undefined) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}

/** Buckets rules by the tool or prompt names that they can match: exact names, beginnings of a name, anything. */
function createNameIndex(rules: readonly CompiledRule[]): (name: string) => readonly CompiledRule[] {
  const exact = new Map<string, CompiledRule[]>();
  const beginnings = new Map<number, Map<string, CompiledRule[]>>();
  const anything: CompiledRule[] = [];
  for (const rule of rules) {
    const keys = nameKeys(rule.tool ?? rule.prompt);
    if (keys === undefined) anything.push(rule);
    else for (const { text, isWhole } of keys) addTo(isWhole ? exact : byLength(beginnings, text.length), text, rule);
  }
  return (name) => {
    const lists: (readonly CompiledRule[])[] = anything.length === 0 ? [] : [anything];
    const same = exact.get(name);
    if (same !== undefined) lists.push(same);
    for (const [length, bucket] of beginnings) {
      const found = length <= name.length ? bucket.get(name.slice(0, length)) : undefined;
      if (found !== undefined) lists.push(found);
    }
    return mergeInFileOrder(lists);
  };
}

interface NameKey {
  readonly text: string;
  /** The name itself, not a beginning. */
  readonly isWhole: boolean;
}

/** Every name that matches is one of these or begins with one; undefined when nothing is known about it. */
function nameKeys(matcher: CompiledMatcher | undefined): readonly NameKey[] | undefined {
  if (matcher === undefined) return undefined;
  const exact = literals(matcher);
  if (exact !== undefined) return exact.map((text) => ({ text, isWhole: true }));
  if (matcher.op === 'all') return matcher.of.map(nameKeys).find((keys) => keys !== undefined);
  if (matcher.op !== 'globs') return undefined;
  const keys = matcher.plain.map(({ isLiteral, literalPrefix }): NameKey =>
    isLiteral ? { text: literalPrefix, isWhole: true } : { text: literalPrefix.slice(0, LONGEST_PREFIX), isWhole: false },
  );
  return keys.every(({ text }) => text !== '') ? keys : undefined;
}

function byLength(beginnings: Map<number, Map<string, CompiledRule[]>>, length: number): Map<string, CompiledRule[]> {
  let bucket = beginnings.get(length);
  if (bucket === undefined) {
    bucket = new Map();
    beginnings.set(length, bucket);
  }
  return bucket;
}

function addTo(bucket: Map<string, CompiledRule[]>, text: string, rule: CompiledRule): void {
  const list = bucket.get(text);
  if (list === undefined) bucket.set(text, [rule]);
  // A rule may have several globs with one beginning.
  else if (list.at(-1) !== rule) list.push(rule);
}

function mergeInFileOrder(lists: readonly (readonly CompiledRule[])[]): readonly CompiledRule[] {
  const [only] = lists;
  if (lists.length <= 1) return only ?? [];
  const merged = lists.flat().sort((a, b) => a.ref.index - b.ref.index);
  return merged.filter((rule, at) => rule !== merged[at - 1]);
}
