import type { DeniedCall, DeniedCalls } from '../denied-calls.ts';
import { applyEdits, type Edit, elementsOf, membersOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import { MARKED_NOTE } from '../note.ts';
import { placeResults } from './place-results.ts';
import { restoreContent } from './restore-content.ts';

/**
 * A request with the denied calls in it again where their notes are, and with results that say so; everything else byte for byte. Of a thread
 * that goes on, the provider has the calls already, and only the results are put in.
 *
 * @param text which `readRequest` could read
 */
export function restoreCalls(text: string, denied: DeniedCalls): string {
  const body = membersOf(text, wholeOf(text));
  const messages = body?.get('messages');
  const elements = elementsOf(text, messages);
  if (messages === undefined || elements === undefined) return text;
  const isFrom = (at: number, role: string): boolean => roleOf(text, elements[at]) === role;
  const edits: Edit[] = [];
  /** By the message that they stand in, or before; the number of messages: at the end. */
  const results = new Map<number, DeniedCall[]>();
  const restored = new Set<DeniedCall>();
  const told = new Map<TextSpan, ReadonlySet<string>>();
  const isToldIn = (message: TextSpan | undefined, id: string): boolean => {
    if (message === undefined) return false;
    const ids = told.get(message) ?? idsIn(text, message);
    told.set(message, ids);
    return ids.has(id);
  };
  /** Is a call none that the request has told already, so that it can be told once? Those beside it are looked at; elsewhere the API refuses it. */
  const take = (call: DeniedCall, turn: number, beside: readonly (TextSpan | undefined)[]): boolean => {
    if (restored.has(call) || beside.some((message) => isToldIn(message, call.id))) return false;
    restored.add(call);
    results.set(turn, [...(results.get(turn) ?? []), call]);
    return true;
  };
  const previous = continuedAnswer(text, body?.get('thread'));
  for (const call of previous === undefined ? [] : denied.ofAnswer(previous)) take(call, 0, [elements[0]]);
  let next = 0;
  let mark = text.indexOf(MARKED_NOTE, messages.start);
  for (const [at, element] of elements.entries()) {
    if (mark === -1 || mark >= messages.end) break;
    if (mark >= element.end) continue;
    mark = text.indexOf(MARKED_NOTE, element.end);
    if (!isFrom(at, 'assistant')) continue;
    // What the model said in several messages is one turn.
    if (next <= at) {
      next = at + 1;
      while (isFrom(next, 'assistant')) next++;
    }
    const turn = next;
    const notedIn = (said: string) => denied.notedIn(said).filter(({ call }) => take(call, turn, [element, elements[turn]]));
    edits.push(...restoreContent(text, element, notedIn));
  }
  for (const [turn, calls] of results) edits.push(placeResults(text, { list: messages, elements, at: turn }, calls));
  return applyEdits(text, edits);
}

/** The ids of the calls and results in a message. */
function idsIn(text: string, message: TextSpan): ReadonlySet<string> {
  const blocks = elementsOf(text, membersOf(text, message)?.get('content')) ?? [];
  const ids = blocks.flatMap((block) => {
    const members = membersOf(text, block);
    return [stringOf(text, members?.get('id')), stringOf(text, members?.get('tool_use_id'))];
  });
  return new Set(ids.filter((id) => id !== undefined));
}

/** The answer that a thread goes on from. */
function continuedAnswer(text: string, thread: TextSpan | undefined): string | undefined {
  const members = membersOf(text, thread);
  return stringOf(text, members?.get('type')) === 'continue' ? stringOf(text, members?.get('previous_message_id')) : undefined;
}

function roleOf(text: string, message: TextSpan | undefined): string | undefined {
  return message === undefined ? undefined : stringOf(text, membersOf(text, message)?.get('role'));
}
