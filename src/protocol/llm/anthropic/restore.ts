import {
  applyEdits,
  type Edit,
  elementsOf,
  membersOf,
  setMember,
  sourceOf,
  stringOf,
  type TextSpan,
  wholeOf,
} from '../json-text.ts';
import type { DeniedCall, DeniedCalls, NotedCall } from '../model-api.ts';
import { MARKED_NOTE, markFinder, whyOf } from '../note.ts';
import { formatTextElement } from './call-block.ts';

/** The place for the results of a turn's calls. */
interface ResultPlace {
  /** The list of all messages. */
  readonly list: TextSpan;
  readonly elements: readonly TextSpan[];
  /** The index of the message after the turn; the number of messages if there is none. */
  readonly at: number;
}

/**
 * Restores the denied calls in a request where their notes are, and adds results that say so; everything else stays byte for byte. In a
 * continued thread the provider already has the calls, so only the results are added.
 *
 * @param text one that `readRequest` could read
 */
export function restoreCalls(text: string, denied: DeniedCalls): string {
  const body = membersOf(text, wholeOf(text));
  const messages = body?.get('messages');
  const elements = elementsOf(text, messages);
  if (messages === undefined || elements === undefined) return text;
  const isFrom = (at: number, role: string): boolean => roleOf(text, elements[at]) === role;
  const edits: Edit[] = [];
  /** Calls by the message that their results go into or before; the number of messages stands for the end. */
  const results = new Map<number, DeniedCall[]>();
  const restored = new Set<DeniedCall>();
  const idsOf = new Map<TextSpan, ReadonlySet<string>>();
  const isResultIn = (message: TextSpan | undefined, id: string): boolean => {
    if (message === undefined) return false;
    const ids = idsOf.get(message) ?? idsIn(text, message);
    idsOf.set(message, ids);
    return ids.has(id);
  };
  /**
   * Takes a call if the request does not contain it yet, so that it is restored once. Only the messages beside it are checked; elsewhere
   * the API refuses a duplicate.
   */
  const take = (call: DeniedCall, turn: number, beside: readonly (TextSpan | undefined)[]): boolean => {
    if (restored.has(call) || beside.some((message) => isResultIn(message, call.id))) return false;
    restored.add(call);
    results.set(turn, [...(results.get(turn) ?? []), call]);
    return true;
  };
  const previous = continuedAnswer(text, body?.get('thread'));
  for (const call of previous === undefined ? [] : denied.ofAnswer(previous)) take(call, 0, [elements[0]]);
  let next = 0;
  const hasMark = markFinder(text);
  for (const [at, element] of elements.entries()) {
    if (!hasMark(element) || !isFrom(at, 'assistant')) continue;
    // Several messages of the model in a row are one turn.
    if (next <= at) {
      next = at + 1;
      while (isFrom(next, 'assistant')) next++;
    }
    const turn = next;
    const notedIn = (words: string) => denied.notedIn(words).filter(({ call }) => take(call, turn, [element, elements[turn]]));
    edits.push(...restoreContent(text, element, notedIn));
  }
  for (const [turn, calls] of results) edits.push(placeResults(text, { list: messages, elements, at: turn }, calls));
  return applyEdits(text, edits);
}

/** Returns the ids of the calls and results in a message. */
function idsIn(text: string, message: TextSpan): ReadonlySet<string> {
  const blocks = elementsOf(text, membersOf(text, message)?.get('content')) ?? [];
  const ids = blocks.flatMap((block) => {
    const members = membersOf(text, block);
    return [stringOf(text, members?.get('id')), stringOf(text, members?.get('tool_use_id'))];
  });
  return new Set(ids.filter((id) => id !== undefined));
}

/** Returns the id of the answer that a thread continues. */
function continuedAnswer(text: string, thread: TextSpan | undefined): string | undefined {
  const members = membersOf(text, thread);
  return stringOf(text, members?.get('type')) === 'continue' ? stringOf(text, members?.get('previous_message_id')) : undefined;
}

function roleOf(text: string, message: TextSpan | undefined): string | undefined {
  return message === undefined ? undefined : stringOf(text, membersOf(text, message)?.get('role'));
}

/**
 * Builds the edit that adds the results of denied calls where the API requires them: first in the user's next message, or in a message of
 * their own if that is not the user's.
 */
export function placeResults(text: string, { list, elements, at }: ResultPlace, calls: readonly DeniedCall[]): Edit {
  const results = calls.map(formatResult).join(',');
  const alone = `{"role":"user","content":[${results}]}`;
  const next = elements[at];
  if (next === undefined) {
    const end = elements.at(-1)?.end;
    return end === undefined ? insert(list.start + 1, alone) : insert(end, `,${alone}`);
  }
  const members = membersOf(text, next);
  const content = members?.get('content');
  const before = insert(next.start, `${alone},`);
  if (stringOf(text, members?.get('role')) !== 'user' || content === undefined) return before;
  const words = stringOf(text, content);
  const blocks = elementsOf(text, content);
  // A result for a program of the model's must stand alone in its message.
  const isApart = calls.some(({ text: call }) => isByProgram(call));
  if (blocks !== undefined) {
    if (isApart && !blocks.some((block) => isResult(text, block))) return before;
    return insert(content.start + 1, blocks.length === 0 ? results : `${results},`);
  }
  if (words === undefined || isApart) return before;
  const block = words.trim() === '' ? '' : `,{"type":"text","text":${text.slice(content.start, content.end)}}`;
  return { ...content, text: `[${results}${block}]` };
}

function formatResult({ id, note }: DeniedCall): string {
  return JSON.stringify({ type: 'tool_result', tool_use_id: id, is_error: true, content: whyOf(note) });
}

/** Tells whether code that the provider runs for the model made the call. */
function isByProgram(call: string): boolean {
  const caller = membersOf(call, wholeOf(call))?.get('caller');
  const type = caller === undefined ? undefined : stringOf(call, membersOf(call, caller)?.get('type'));
  return type !== undefined && type !== 'direct';
}

function isResult(text: string, block: TextSpan): boolean {
  return stringOf(text, membersOf(text, block)?.get('type')) === 'tool_result';
}

function insert(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/**
 * Builds the edits that put calls in place of their notes in a message. The text around a note becomes separate blocks; the API refuses
 * blank text blocks.
 *
 * @param message a message of the model
 * @param notedIn finds the notes in a text
 */
export function restoreContent(
  text: string,
  message: TextSpan,
  notedIn: (words: string) => readonly NotedCall[],
): readonly Edit[] {
  const content = membersOf(text, message)?.get('content');
  if (content === undefined) return [];
  const whole = stringOf(text, content);
  if (whole !== undefined) {
    const noted = notedIn(whole);
    return noted.length === 0 ? [] : [{ ...content, text: `[${cut(whole, noted).join(',')}]` }];
  }
  return (elementsOf(text, content) ?? []).flatMap((block) => {
    if (!text.slice(block.start, block.end).includes(MARKED_NOTE)) return [];
    const members = membersOf(text, block);
    const words = stringOf(text, members?.get('type')) === 'text' ? stringOf(text, members?.get('text')) : undefined;
    const noted = words === undefined ? [] : notedIn(words);
    if (words === undefined || noted.length === 0) return [];
    const blocks = [...cut(words, noted)];
    const cached = sourceOf(text, members?.get('cache_control'));
    const last = blocks.pop() ?? '';
    // The cache still ends at the same place.
    blocks.push(cached === undefined ? last : withMember(last, 'cache_control', cached));
    return [{ ...block, text: blocks.join(',') }];
  });
}

/** Splits a text into blocks: calls in place of their notes, and the text around them. Returns JSON texts, at least one. */
function cut(words: string, noted: readonly NotedCall[]): readonly string[] {
  const blocks: string[] = [];
  let from = 0;
  const addText = (to: number): void => {
    const piece = words.slice(from, to);
    if (piece.trim() !== '') blocks.push(formatTextElement(piece));
  };
  for (const { call, start, end } of noted) {
    addText(start);
    blocks.push(call.text);
    from = end;
  }
  addText(words.length);
  return blocks;
}

function withMember(object: string, name: string, value: string): string {
  return applyEdits(object, [setMember(object, wholeOf(object), name, value)]);
}
