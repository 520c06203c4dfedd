import { isContainer } from '../../json.ts';
import { lowerCase } from '../values/letters.ts';
import { base64Texts } from '../values/decodings.ts';
import { type Address, addressesIn, seenText } from './addresses.ts';
import { ACTIONS, actionsIn } from './actions.ts';
import { type Request, requestsIn } from './requests.ts';

/**
 * Places of a value in a result, as bits. `FIELD`: alone, or behind its name, as data has it. `TEXT`: in a sentence. `REQUEST`: in a passage
 * that asks its reader for an action. `ADDRESSED`: in one that may speak to an agent, or of its work. `STRONG`: in words that hardly anything
 * but an agent is told.
 */
export const FIELD = 1;
export const TEXT = 2;
export const REQUEST = 4;
export const ADDRESSED = 8;
export const STRONG = 16;

/** Receives a value and the bits of its place: an address, or a word of a request with a blank before it. */
export type Told = (value: string, bits: number) => void;

/** Characters that are read in one step, and characters that overlap with the step before, lest a request lies across. */
const PIECE = 4 * 1024;
const OVERLAP = 512;
/** Most words of one request that are read. */
const MOST_WORDS = 120;
/** Most characters of a text that is nothing but a value. */
const SHORT = 60;

const WORD = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}'’_@-]*/gu;
const NAMED = /^[\s>|*-]*["']?[\p{L}\p{N}_. -]{1,28}["']?\s*[:=|]/u;

/** Matches a name before a value where one of both is in quotes, as data has it in every notation: `'to': '`, `"to": ["`, `to = "`. */
const KEYED = /["'][\w .-]{1,40}["']\s{0,2}[:=]\s{0,2}[[(]?\s{0,2}["']?$|[\w-]{1,40}\s?=\s?[[(]?["']$/;
/** Matches a person's name before an address at the beginning of a line, as in lists of contacts and of mails: `- Ann Lee <`. */
const OF_PERSON = /\n[\s>*\d.)-]{0,8}(?:\p{Lu}[\p{L}.'’-]{0,30} ){1,4}[<(]$/u;
const LONGEST_KEY = 60;

/** The words of a text, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return Array.from(lowerCase(seenText(text)).matchAll(WORD), ([word]) => word.replace(/['’_-]+$/, ''));
}

/**
 * Visits what a result tells: addresses with their places, and the words of its requests. Each step is a few milliseconds' work.
 *
 * @param tools names of the agent's tools
 */
export function* visitTold(result: string, tools: readonly string[], told: Told): Generator<undefined, void> {
  let read = 0;
  for (const { text, namesTool } of leavesOf(result, tools)) {
    const addressed: Told = (value, bits) => told(value, bits | ADDRESSED | STRONG);
    for (let start = 0; start < text.length; start += PIECE) {
      const piece = text.slice(Math.max(0, start - OVERLAP), start + PIECE);
      visitText(piece, tools, namesTool ? addressed : told);
      // Whoever encodes an address means a reader who decodes.
      const decoded = base64Texts(piece);
      if (decoded !== '') visitText(decoded, tools, addressed);
      read += piece.length;
      if (read < PIECE) continue;
      read = 0;
      yield undefined;
    }
  }
}

function visitText(original: string, tools: readonly string[], told: Told): void {
  const text = seenText(original);
  const addresses = addressesIn(text);
  const trimmed = text.trim();
  const requests = /\s/.test(trimmed) ? requestsIn(text, tools) : [];
  const isMostly = addresses.some(({ start, end }) => (end - start) * 2 > trimmed.length);
  if (requests.length === 0 && (!/\s/.test(trimmed) || (trimmed.length < SHORT && isMostly))) {
    for (const address of addresses) told(address.text, FIELD);
    return;
  }
  const lines = new Map<number, boolean>();
  for (const address of addresses) {
    const before = `${address.start < LONGEST_KEY ? '\n' : ''}${text.slice(Math.max(0, address.start - LONGEST_KEY), address.start)}`;
    const isKeyed = KEYED.test(before);
    const isAskedWith = requests.some(({ core }) => address.start >= core.start && address.end <= core.end);
    const isData =
      isKeyed || inCell(text, address) || OF_PERSON.test(before) || (!isAskedWith && isInField(text, address, lines));
    told(address.text, isData ? FIELD : TEXT);
    for (const request of requests) {
      if (address.start < request.start || address.end > request.end || (isKeyed && !request.isStrong)) continue;
      told(address.text, bitsOf(request));
    }
  }
  for (const request of requests) {
    const bits = bitsOf(request);
    for (const word of wordsOf(text.slice(request.start, request.end)).slice(0, MOST_WORDS)) told(` ${word}`, bits);
  }
}

function bitsOf({ isAddressed, isStrong }: Request): number {
  return (isAddressed ? ADDRESSED : REQUEST) | (isStrong ? STRONG : 0);
}

/** Match what bounds a cell of a table before an address, and after it: no prose has a comma without a blank. */
const BEFORE_CELL = /(?:[^\s,;][,;]|[\t|] {0,9}|(?:^|\n) {0,9})["']?$/;
const AFTER_CELL = /^["']?(?:[,;](?=[^\s,;])| {0,9}[\t|]| {0,9}(?:$|\r?\n))/;
const LONGEST_BOUND = 12;

/** Tells whether an address is all that a cell of a table has: what other cells ask for is not asked with it. */
function inCell(text: string, { start, end }: Address): boolean {
  const [before] = BEFORE_CELL.exec(text.slice(Math.max(0, start - LONGEST_BOUND), start)) ?? [];
  const [after] = AFTER_CELL.exec(text.slice(end, end + LONGEST_BOUND)) ?? [];
  // Bounds of lines alone make no table.
  return before !== undefined && after !== undefined && /[,;\t|]/.test(before + after);
}

/** Tells whether an address stands in a line that names it, in a table, or nearly alone in its line. */
function isInField(text: string, { start, end }: Address, lines: Map<number, boolean>): boolean {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const known = lines.get(from);
  if (known !== undefined) return known;
  const next = text.indexOf('\n', end);
  const line = text.slice(from, next === -1 ? undefined : next).slice(0, 2000);
  const words = line.match(WORD)?.length ?? 0;
  const signs = line.match(/[,;\t|]/g)?.length ?? 0;
  const isField =
    (NAMED.test(line) && words <= 14) || words <= 4 || /\|.*\|/.test(line) || (signs >= 3 && words < 3 * (signs + 1));
  lines.set(from, isField);
  return isField;
}

/**
 * Visits what a user says: addresses, and each word with a blank before it.
 *
 * @returns the actions that the user asks for, as bits; undefined if it only tells the agent who it is
 */
export function visitSaid(text: string, said: (value: string) => void): number | undefined {
  for (const address of addressesIn(text)) said(address.text);
  for (const word of wordsOf(text)) said(` ${word}`);
  if (ROLE.test(text)) return undefined;
  const lower = lowerCase(seenText(text));
  return DELEGATED.test(lower) ? 2 ** ACTIONS.length - 1 : actionsIn(lower, true);
}

/** Matches words by which a user asks for whatever a result asks for: what a mail says is then what the user wants. */
const DELEGATED = new RegExp(
  [
    String.raw`\b(?:to-?dos?|action items?|checklists?|homework|according to|accordingly|as (?:described|requested|asked|stated|specified|instructed|outlined|needed|required|he|she|they))\b`,
    String.raw`\b(?:his|her|their|its|the|any|all|specific|some|'s) (?:\w+ )?(?:instructions?|tasks?|requests?|steps|requirements?|guidelines?|procedures?|issues?)\b`,
    String.raw`\b(?:instruction|task|request|step|action)s? (?:in|on|from|at|of|listed|described|specified|given|mentioned|contained)\b`,
    String.raw`\b(?:asks?|asked|told|tells|wants?|requested) (?:me|us|him|her|them)\b|\bwhat(?:ever)? (?:\w+ )?(?:says?|asks?|wants?|needs?|requests?)\b`,
    String.raw`\bfollow (?:his|her|their|its|the|any|all)\b|\b(?:deal with|handle|address|resolve|take care of) (?:it|this|that|them|his|her|their|the)\b`,
    String.raw`\b(?:anweisungen|aufgaben|erledige|kümmere|tareas|instrucciones|tâches|consignes|tarefas|zadania)\b|按照|根据|依頼|指示|任务`,
  ].join('|'),
  'u',
);

/** Matches the beginning of a text that tells an agent who it is: it lends words and addresses, and asks for nothing yet. */
const ROLE = /^(?:\s|[<#[][^\n]{0,80}\n)*(?:you are|you're|your (?:role|job) is|act as)\b/i;

interface Leaf {
  readonly text: string;
  /** True if a tool of the agent's is named beside it: no data needs that. */
  readonly namesTool: boolean;
}

/** The texts and numbers of a result that is JSON, each by itself; the result otherwise. */
function leavesOf(result: string, tools: readonly string[]): readonly Leaf[] {
  const whole = [{ text: result, namesTool: false }];
  if (!isContainer(result)) return whole;
  let value: unknown;
  try {
    value = JSON.parse(result);
  } catch {
    return whole; // it only looks like JSON
  }
  const leaves: Leaf[] = [];
  const names = new Set(tools);
  const waiting: { value: unknown; namesTool: boolean }[] = [{ value, namesTool: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: inner, namesTool } = next;
    if (typeof inner === 'string') leaves.push({ text: inner, namesTool });
    else if (typeof inner === 'number') leaves.push({ text: String(inner), namesTool });
    else if (typeof inner === 'object' && inner !== null) {
      const members = Object.values(inner);
      const isNaming = members.some((member) => typeof member === 'string' && names.has(member));
      for (const member of members.toReversed()) waiting.push({ value: member, namesTool: namesTool || isNaming });
    }
  }
  return leaves;
}
