import { type Call, SUBJECT_METHODS } from '../call.ts';
import type { Glob } from '../patterns/glob.ts';
import { type CompiledMatcher, matchesName } from './compile-matcher.ts';
import type { CompiledRule } from './compiled-policy.ts';
import { matchesNames } from './evaluate.ts';

/** Finds the rules whose method, server and names match a call, without looking at each rule. */
export interface RuleIndex {
  /** The rules that may match the call, in file order. */
  candidates(call: Call): readonly CompiledRule[];
  concernsMethod(method: string): boolean;
}

/** Calls remembered. Names come from peers who may send a new one each time, so the memo is emptied when it is full. */
const MEMO_SIZE = 4096;
/** Longer names are not worth the memory. */
const MEMO_NAME = 256;
/** Literal beginnings and ends of names are told apart up to this length; every length is one more look-up. */
const LONGEST_KEY = 24;

export function createRuleIndex(rules: readonly CompiledRule[]): RuleIndex {
  const byMethod = new Map<string, MethodIndex>();
  const namedMethods = new Set(rules.flatMap((rule) => literalMethods(rule) ?? []));
  const openRules = rules.filter((rule) => literalMethods(rule) === undefined);
  const openIndex = createMethodIndex(openRules);
  const indexOf = (method: string): MethodIndex => {
    let index = byMethod.get(method);
    if (index !== undefined) return index;
    // Only methods that a rule names get an index of their own; the others, whatever a peer calls them, share one.
    if (!namedMethods.has(method)) return openIndex;
    index = createMethodIndex(rules.filter((rule) => literalMethods(rule)?.includes(method) ?? true));
    byMethod.set(method, index);
    return index;
  };
  return {
    candidates: (call) => indexOf(call.method)(call),
    concernsMethod: (method) =>
      namedMethods.has(method) || openRules.some((rule) => rule.method !== undefined && matchesName(rule.method, method)),
  };
}

type MethodIndex = (call: Call) => readonly CompiledRule[];

/** The only methods that a rule can match, if that is a list of literal names. */
function literalMethods(rule: CompiledRule): readonly string[] | undefined {
  if (rule.method !== undefined) return literals(rule.method);
  if (rule.tool !== undefined) return [SUBJECT_METHODS.tool];
  if (rule.resource !== undefined) return [SUBJECT_METHODS.resource];
  return rule.prompt === undefined ? undefined : [SUBJECT_METHODS.prompt];
}

function literals(matcher: CompiledMatcher): string[] | undefined {
  if (matcher.op === 'equals') return typeof matcher.value === 'string' ? [matcher.value] : undefined;
  if (matcher.op !== 'globs' || !matcher.plain.every(({ isLiteral }) => isLiteral)) return undefined;
  return matcher.plain.map(({ literalPrefix }) => literalPrefix);
}

function createMethodIndex(rules: readonly CompiledRule[]): MethodIndex {
  const names = createNameIndex(rules);
  const memo = createMemo();
  return (call) => {
    const known = memo.get(call);
    if (known !== undefined) return known;
    const found = names(call.tool ?? call.prompt ?? '').filter((rule) => matchesNames(rule, call));
    memo.set(call, found);
    return found;
  };
}

interface Memo {
  get(call: Call): readonly CompiledRule[] | undefined;
  set(call: Call, found: readonly CompiledRule[]): void;
}

/**
 * Remembers by everything that `matchesNames` reads. Texts are not joined to one key: a peer could make two calls run together.
 */
function createMemo(): Memo {
  type ByMethod = Map<string, Map<string, Map<string, readonly CompiledRule[]>>>;
  const tools: ByMethod = new Map();
  const prompts: ByMethod = new Map();
  let size = 0;
  return {
    get({ method, server, tool, prompt }) {
      if (tool !== undefined) return prompt === undefined ? tools.get(method)?.get(server)?.get(tool) : undefined;
      return prompt === undefined ? undefined : prompts.get(method)?.get(server)?.get(prompt);
    },
    set({ method, server, tool, prompt }, found) {
      const name = tool ?? prompt;
      // A call without a name has no list to shorten, and no call has both.
      if (name === undefined || (tool !== undefined && prompt !== undefined)) return;
      if (name.length > MEMO_NAME || server.length > MEMO_NAME || method.length > MEMO_NAME) return;
      if (size >= MEMO_SIZE) {
        tools.clear();
        prompts.clear();
        size = 0;
      }
      size += 1;
      entry(entry(tool === undefined ? prompts : tools, method), server).set(name, found);
    },
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

/** Rules by the text of a key, for the keys of one length. */
type Bucket = Map<string, CompiledRule[]>;

/** Buckets rules by the tool or prompt names that they can match: exact names, beginnings, ends, anything. */
function createNameIndex(rules: readonly CompiledRule[]): (name: string) => readonly CompiledRule[] {
  const whole: Bucket = new Map();
  const beginnings = new Map<number, Bucket>();
  const ends = new Map<number, Bucket>();
  const anything: CompiledRule[] = [];
  for (const rule of rules) {
    const keys = nameKeys(rule.tool ?? rule.prompt);
    if (keys === undefined) anything.push(rule);
    else
      for (const { text, part } of keys)
        addTo(part === 'whole' ? whole : ofLength(part === 'beginning' ? beginnings : ends, text.length), text, rule);
  }
  return (name) => {
    const lists: (readonly CompiledRule[])[] = anything.length === 0 ? [] : [anything];
    addFound(lists, whole, name);
    for (const [length, bucket] of beginnings) if (length <= name.length) addFound(lists, bucket, name.slice(0, length));
    for (const [length, bucket] of ends) if (length <= name.length) addFound(lists, bucket, name.slice(-length));
    return mergeInFileOrder(lists);
  };
}

function addFound(lists: (readonly CompiledRule[])[], bucket: Bucket, key: string): void {
  const found = bucket.get(key);
  if (found !== undefined) lists.push(found);
}

interface NameKey {
  readonly text: string;
  readonly part: 'whole' | 'beginning' | 'end';
}

/** Every name that matches is, begins with or ends with one of these; undefined when nothing is known about it. */
function nameKeys(matcher: CompiledMatcher | undefined): readonly NameKey[] | undefined {
  if (matcher === undefined) return undefined;
  const exact = literals(matcher);
  if (exact !== undefined) return exact.map((text) => ({ text, part: 'whole' }));
  if (matcher.op === 'all') return matcher.of.map(nameKeys).find((keys) => keys !== undefined);
  if (matcher.op !== 'globs') return undefined;
  const keys = matcher.plain.map(toNameKey);
  return keys.every(({ text }) => text !== '') ? keys : undefined;
}

function toNameKey({ isLiteral, literalPrefix, literalSuffix }: Glob): NameKey {
  if (isLiteral) return { text: literalPrefix, part: 'whole' };
  if (literalPrefix.length >= literalSuffix.length) return { text: literalPrefix.slice(0, LONGEST_KEY), part: 'beginning' };
  return { text: literalSuffix.slice(-LONGEST_KEY), part: 'end' };
}

function ofLength(buckets: Map<number, Bucket>, length: number): Bucket {
  let bucket = buckets.get(length);
  if (bucket === undefined) {
    bucket = new Map();
    buckets.set(length, bucket);
  }
  return bucket;
}

function addTo(bucket: Bucket, text: string, rule: CompiledRule): void {
  const list = bucket.get(text);
  if (list === undefined) bucket.set(text, [rule]);
  // A rule may have several globs with one beginning.
  else if (list.at(-1) !== rule) list.push(rule);
}

function mergeInFileOrder(lists: readonly (readonly CompiledRule[])[]): readonly CompiledRule[] {
  const [first = []] = lists;
  if (lists.length <= 1) return first;
  const merged: CompiledRule[] = [];
  for (const list of lists) for (const rule of list) merged.push(rule);
  merged.sort((a, b) => a.ref.index - b.ref.index);
  return merged.filter((rule, at) => rule !== merged[at - 1]);
}
