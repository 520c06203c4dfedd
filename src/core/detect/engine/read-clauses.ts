import { conceptsOfChunk, IDENT } from './chunk-concepts.ts';
import { meets, NO_CONCEPTS, toConceptSet, union, type ConceptSet } from './concepts.ts';
import { MARKS, TokenReader, type Clause, type Tokens } from './tokens.ts';
import type { Phrase, Vocabulary } from './vocabulary.ts';

/** Whose a name is that stands in a text, in lower case. */
export interface ToolNames {
  get(word: string): 'own' | 'sibling' | 'foreign' | 'parameter' | undefined;
}

/** Names as one definition means them. */
export interface OwnNames extends ToolNames {
  /** Those that mean something else in another definition, or nothing. */
  readonly own: ReadonlySet<string>;
}

/** A text, read: its words with what they stand for, and its clauses with all that stands in each. */
export interface ReadText {
  readonly tokens: Tokens;
  readonly clauses: readonly Clause[];
  /** By clause. */
  readonly sets: readonly ConceptSet[];
}

const SET = {
  own: toConceptSet(['own']),
  sibling: toConceptSet(['sibling']),
  foreign: toConceptSet(['foreign']),
  ident: IDENT,
  param: toConceptSet(['param']),
  tool: toConceptSet(['tool']),
  othertool: toConceptSet(['othertool', 'ident']),
  named: toConceptSet(['own', 'sibling']),
  opening: toConceptSet(['when', 'before', 'regardless', 'instead', 'todo']),
  colon: toConceptSet(['colon']),
  comment: toConceptSet(['comment']),
  link: toConceptSet(['link']),
  tagorder: toConceptSet(['tagorder']),
  tagchat: toConceptSet(['tagchat']),
  banner: toConceptSet(['banner']),
  pipe: toConceptSet(['pipe']),
  third: toConceptSet(['third']),
  imp: toConceptSet(['imp']),
  verbs: toConceptSet([
    'override',
    'adopt',
    'tell',
    'show',
    'keep',
    'read',
    'send',
    'put',
    'steal',
    'run',
    'modify',
    'remove',
    'decode',
    'store',
    'pay',
    'click',
    'append',
    'prefer',
    'follow',
  ]),
  leads: toConceptSet([
    'lead',
    'please',
    'must',
    'colon',
    'tagorder',
    'banner',
    'tagchat',
    'comment',
    'important',
    'todo',
    'now',
    'before',
  ]),
} as const;

/** Reads a text in lower case. */
export function readClauses(text: string, vocabulary: Vocabulary, names: ToolNames): ReadText {
  const finder = (whole: string, index: number): number => unspacedAt(whole, index, vocabulary)?.words[0]?.length ?? 0;
  const { tokens, clauses } = new TokenReader(text, finder);
  for (let index = 0; index < tokens.length; index += 1) lookUp(tokens, index, vocabulary, names);
  const sets = clauses.map((clause) => finish(tokens, clause, vocabulary));
  return { tokens, clauses, sets };
}

function unspacedAt(text: string, index: number, vocabulary: Vocabulary): Phrase | undefined {
  return vocabulary.unspacedFrom(text.charAt(index))?.find(({ words }) => text.startsWith(words[0] ?? '', index));
}

function lookUp(tokens: Tokens, index: number, vocabulary: Vocabulary, names: ToolNames): void {
  const word = tokens.words[index] ?? '';
  const name = names.get(word);
  const known = vocabulary.look(word.endsWith("'s") ? word.slice(0, -2) : word);
  const unspaced = word.charCodeAt(0) > 0x2fff ? unspacedAt(word, 0, vocabulary) : undefined;
  tokens.forms.push(unspaced === undefined ? known.form : 'base');
  tokens.isLoose.push(known.isLoose || unspaced !== undefined);
  let set = unspaced?.concepts ?? known.concepts;
  if (set === NO_CONCEPTS)
    set = vocabulary.lookElse(word, (other) => conceptsOfMark(other) ?? conceptsOfChunk(other, vocabulary));
  if (name === 'parameter') tokens.sets.push(set === SET.ident ? SET.param : set);
  else tokens.sets.push(name === undefined ? set : union(set, SET[name]));
}

function conceptsOfMark(word: string): ConceptSet | undefined {
  if (word === MARKS.colon) return SET.colon;
  if (word === MARKS.comment) return SET.comment;
  if (word === MARKS.link) return SET.link;
  if (word === '|') return SET.pipe;
  return undefined;
}

/** What can be said only with the words around: phrases, marks with their names, who orders. */
function finish(tokens: Tokens, clause: Clause, vocabulary: Vocabulary): ConceptSet {
  for (let index = clause.from; index < clause.to; index += 1) findPhrases(tokens, index, clause, vocabulary);
  for (let index = clause.from; index < clause.to; index += 1) findOtherTool(tokens, index, clause);
  for (let index = clause.from; index < clause.to; index += 1) findMarks(tokens, index, clause);
  let all: ConceptSet = NO_CONCEPTS;
  for (let index = clause.from; index < clause.to; index += 1) {
    markVerb(tokens, index, clause);
    all = union(all, tokens.sets[index] ?? NO_CONCEPTS);
  }
  return all;
}

function findPhrases(tokens: Tokens, index: number, { to }: Clause, vocabulary: Vocabulary): void {
  const list = vocabulary.phrasesFrom(tokens.words[index] ?? '');
  if (list === undefined) return;
  for (const phrase of list) {
    if (!isPhraseAt(tokens, index, to, phrase)) continue;
    tokens.sets[index] = union(tokens.sets[index] ?? NO_CONCEPTS, phrase.concepts);
    if (phrase.isLoose) tokens.isLoose[index] = true;
  }
}

function isPhraseAt(tokens: Tokens, index: number, to: number, { words }: Phrase): boolean {
  if (index + words.length > to) return false;
  for (let offset = 1; offset < words.length; offset += 1) {
    const expected = words[offset] ?? '';
    const word = tokens.words[index + offset] ?? '';
    const isSame = word === expected || (word.length === expected.length + 1 && word.startsWith(expected) && word.endsWith('s'));
    if (!isSame) return false;
  }
  return true;
}

const CALLS: ReadonlySet<string> = new Set(['call', 'invoke', 'execute', 'run', 'trigger']);
const IS_CALLED: ReadonlySet<string> = new Set(['called', 'invoked', 'used', 'executed']);
const IS_TOOL: ReadonlySet<string> = new Set(['tool', 'tools', 'function', 'server']);

/** A name that is none of this server's, and is called or said to be a tool. */
function findOtherTool(tokens: Tokens, index: number, { to }: Clause): void {
  const set = tokens.sets[index] ?? NO_CONCEPTS;
  if (meets(set, SET.named)) return;
  const isForeign = meets(set, SET.foreign);
  const isNamed = index + 1 < to && IS_TOOL.has(tokens.words[index + 1] ?? '');
  const isCalled =
    isNamed || CALLS.has(tokens.words[index - 1] ?? '') || (index + 2 < to && IS_CALLED.has(tokens.words[index + 2] ?? ''));
  const isTool = (tokens.words[index] ?? '').endsWith('_tool') || isCalled;
  if (isForeign || (isTool && meets(set, SET.ident))) tokens.sets[index] = union(set, SET.othertool);
}

/** Names of tags that give a text weight it should not have. */
const ORDER_TAGS: ReadonlySet<string> = new Set(
  'important critical system hidden secret instruction instructions admin override directive directives priority urgent mandatory information hidden_instruction confidential prompt task assistant ai agent security rules rule command commands internal notice attention requirement policy thought thinking script_instruction'.split(
    ' ',
  ),
);
/** Within so many words behind an opening bracket stands what the banner says. */
const WORDS_OF_A_BANNER = 4;

/** What agents put a tool's answer in: an end of it within one is an attempt to get out. */
const RESULT_TAGS: ReadonlySet<string> = new Set([
  'tool_result',
  'tool_results',
  'function_result',
  'function_results',
  'tool_response',
  'tool_output',
  'function_calls',
]);

function findMarks(tokens: Tokens, index: number, { to }: Clause): void {
  const mark = tokens.words[index];
  if (mark === MARKS.tag) {
    const name = tokens.words[tokens.words[index + 1] === '|' ? index + 2 : index + 1] ?? '';
    const isOrder = ORDER_TAGS.has(name) || name.split(/[-_.:]/u, 3).some((part) => ORDER_TAGS.has(part));
    if (index + 1 < to && isOrder) tokens.sets[index] = SET.tagorder;
    if (name === 'inst' || name === 'sys' || name === '<') tokens.sets[index] = SET.tagchat;
  }
  if (mark === MARKS.endTag && RESULT_TAGS.has(tokens.words[index + 1] ?? '')) tokens.sets[index] = SET.tagchat;
  if (mark !== MARKS.banner) return;
  for (let next = index + 1; next < to && next <= index + WORDS_OF_A_BANNER; next += 1) {
    if (tokens.words[next] === 'inst') tokens.sets[index] = SET.tagchat;
    else if (ORDER_TAGS.has(tokens.words[next] ?? '') && tokens.sets[index] === NO_CONCEPTS) tokens.sets[index] = SET.banner;
    if ((tokens.starts[next] ?? 0) > (tokens.ends[next - 1] ?? 0) + 2) break;
  }
}

/** A verb that leads what could be an order, or tells what the tool does. */
function markVerb(tokens: Tokens, index: number, { from }: Clause): void {
  const set = tokens.sets[index] ?? NO_CONCEPTS;
  if (!meets(set, SET.verbs)) return;
  if (tokens.forms[index] === 'third') tokens.sets[index] = union(set, SET.third);
  else if (tokens.forms[index] === 'base' && isLed(tokens, index, from)) tokens.sets[index] = union(set, SET.imp);
}

/** `Before you answer, read …`: what opens the sentence has the order come behind a comma. */
function isLed(tokens: Tokens, index: number, from: number): boolean {
  if (index === from || tokens.isLoose[index] === true) return true;
  if (meets(tokens.sets[index - 1] ?? NO_CONCEPTS, SET.leads)) return true;
  if (tokens.isAfterComma[index] !== true) return false;
  for (let first = from; first < from + WORDS_OF_AN_OPENING; first += 1)
    if (meets(tokens.sets[first] ?? NO_CONCEPTS, SET.opening)) return true;
  return false;
}

const WORDS_OF_AN_OPENING = 4;
