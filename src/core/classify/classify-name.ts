import type { Category } from '../call.ts';
import { namesDestroying } from './destroys.ts';
import {
  addPhrases,
  ADDRESSES,
  MAKING,
  MESSAGES,
  NOUN_OR_VERB,
  NOUNS_READ,
  PASSING_ON,
  REMARKS,
  SAID,
  VERBS_AFTER_ALL,
  VERBS_LAST,
  VERBS_OF_READING,
  verbsAnywhere,
  verbsJoined,
  verbsLeading,
} from './verbs.ts';
import { namesRunning } from './runs-commands.ts';
import { MOST_NAME, splitName } from './split-name.ts';

const JOINING: ReadonlySet<string> = new Set(['and', 'or', 'then']);
const SQL: ReadonlySet<string> = new Set(['sql', 'query', 'queries', 'esql']);
/** Methods of HTTP: tools generated from an HTTP API's description begin with one, which tells little, since searches are posted. */
const HTTP_METHODS: ReadonlyMap<string, Category> = new Map([
  ['get', 'read'],
  ['post', 'write'],
  ['put', 'write'],
  ['patch', 'write'],
  ['delete', 'write'],
]);

/** Matches letters that have a case and are not Latin. In a word with Latin ones they imitate others. */
const FOREIGN = /(?=[\p{Lu}\p{Ll}])\P{Script=Latin}/u;

/**
 * The categories that the verbs in a tool's name tell, wherever they stand; empty without a known verb. `unknown` is added if part of the
 * name can't be judged.
 */
export function classifyName(name: string): Set<Category> {
  const words = splitName(name);
  const found = classifyWords(words);
  if (namesRunning(words)) found.add('write').add('compute').add('execute');
  if (namesDestroying(words)) found.add('write').add('destroy');
  if (name.length > MOST_NAME || words.some(isMixed)) found.add('unknown');
  return found;
}

function isMixed(word: string): boolean {
  return FOREIGN.test(word) && /\p{Script=Latin}/u.test(word);
}

function classifyWords(words: readonly string[]): Set<Category> {
  const [first = '', second = '', third] = words;
  if (first === 'http' || first === 'https') return ofRequest(words);
  if (PASSING_ON.has(first) && (HTTP_METHODS.has(second) || second === 'request' || second === 'fetch')) return ofRequest(words);
  const method = first === 'api' && third !== undefined ? HTTP_METHODS.get(second) : undefined;
  if (method !== undefined) return new Set([words.includes('search') || words.includes('query') ? 'read' : method]);
  if (first === 'open' && ADDRESSES.has(second)) return new Set<Category>(['read', 'send']);
  const at = words.findIndex((word) => verbsAnywhere().has(word) || verbsLeading().has(word));
  const found =
    at === -1 ? new Set<Category>(words.some((word) => NOUNS_READ.has(word)) ? ['read'] : []) : classifyVerbs(words, at);
  addPhrases(found, words);
  return found;
}

function ofRequest(words: readonly string[]): Set<Category> {
  return new Set<Category>(isPosting(words) ? ['send'] : ['read', 'send']);
}

function isPosting(words: readonly string[]): boolean {
  return words.some((word) => word === 'post' || word === 'put' || word === 'patch' || word === 'delete');
}

/** @param at index of the first verb */
function classifyVerbs(words: readonly string[], at: number): Set<Category> {
  const verb = words[at] ?? '';
  const last = words.at(-1) ?? '';
  const rest = words.slice(at + 1);
  if (SAID.has(verb) && rest.length === 1 && VERBS_OF_READING.has(last)) return new Set(verbsLeading().get(last));
  // In `maps_place_details`, the first verb is really a noun.
  const isNoun = at > 0 && !verbsAnywhere().has(verb) && NOUN_OR_VERB.has(last) && rest.length > 0;
  const found = new Set<Category>(isNoun ? verbsLeading().get(last) : verbOf(verb));
  for (const [index, word] of rest.entries()) {
    const before = index === 0 ? '' : (rest[index - 1] ?? '');
    addAll(found, JOINING.has(before) ? (verbOf(word) ?? verbsJoined().get(word)) : verbsAnywhere().get(word));
  }
  // In `get_and_…` there is a second verb, whatever it means.
  if (rest[1] !== undefined && JOINING.has(rest[0] ?? '') && verbOf(rest[1]) === undefined && !verbsJoined().has(rest[1])) {
    found.add('unknown');
  }
  if (found.has('read') && rest.length > 0 && VERBS_AFTER_ALL.has(last)) addAll(found, verbOf(last));
  if (NOUN_OR_VERB.has(verb) && rest.length > 0 && VERBS_LAST.has(last)) addAll(found, verbsLeading().get(last));
  if (found.has('write') && found.has('compute') && words.some((word) => SQL.has(word))) found.add('read');
  // Alone it is given code; of an expression, it only gives the value.
  if (last === 'evaluate') found.add('write');
  if (MAKING.has(verb)) addMade(found, rest);
  // Whoever chooses an address can put data into it.
  if (found.has('read') && ADDRESSES.has(rest[0] ?? '')) found.add('send');
  return found;
}

function addMade(found: Set<Category>, rest: readonly string[]): void {
  if (rest.includes('draft')) return;
  const end = rest.findIndex((word) => word === 'to' || word === 'in' || word === 'on' || word === 'with' || word === 'for');
  const made = end === -1 ? rest : rest.slice(0, end);
  if (made.some((word) => MESSAGES.has(word) || REMARKS.has(word))) found.add('send');
  if (MESSAGES.has(made.at(-1) ?? '')) found.delete('write');
  if (made.includes('request') && !made.includes('pull') && !made.includes('merge')) addAll(found, ['read', 'send']);
}

function verbOf(word: string): readonly Category[] | undefined {
  return verbsAnywhere().get(word) ?? verbsLeading().get(word);
}

function addAll(to: Set<Category>, categories: readonly Category[] | undefined): void {
  for (const category of categories ?? []) to.add(category);
}
