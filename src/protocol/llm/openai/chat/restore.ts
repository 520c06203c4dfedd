import type { DeniedCall, DeniedCalls } from '../../model-api.ts';
import { isObject } from '../../json-object.ts';
import { applyEdits, type Edit, elementsOf, membersOf, setMember, stringOf, type TextSpan, wholeOf } from '../../json-text.ts';
import { MARKED_NOTE, markFinder, textBefore, whyOf } from '../../note.ts';

/** The edits that remove a message's notes, and the calls to restore. */
interface Restored {
  readonly edits: readonly Edit[];
  readonly calls: readonly DeniedCall[];
}

/**
 * Restores the denied calls in a request: their notes are removed from the assistant's messages, and the calls come after the allowed ones.
 * Their results come after those of the allowed ones. Everything else stays byte for byte.
 *
 * @param text one that `readChatRequest` could read
 */
export function restoreChat(text: string, denied: DeniedCalls): string {
  if (!text.includes(MARKED_NOTE)) return text;
  const list = membersOf(text, wholeOf(text))?.get('messages');
  const messages = elementsOf(text, list) ?? [];
  const restored = new Set<string>();
  const hasMark = markFinder(text);
  const edits = messages.flatMap((message, at) => {
    if (!hasMark(message) || !isAssistants(text, message)) return [];
    const last = lastResult(text, messages, at);
    const answered = new Set(messages.slice(at, last + 1).flatMap((one) => idsIn(text, one)));
    const { edits: changes, calls } = restoreMessage(text, message, { denied, restored, answered });
    const { end } = messages[last] ?? message;
    if (calls.length === 0) return [];
    return [...changes, { start: end, end, text: calls.map((call) => `,${formatResult(call)}`).join('') }];
  });
  return applyEdits(text, edits);
}

function isAssistants(text: string, message: TextSpan): boolean {
  return stringOf(text, membersOf(text, message)?.get('role')) === 'assistant';
}

/** @param message an assistant's */
function restoreMessage(
  text: string,
  message: TextSpan,
  {
    denied,
    restored,
    answered,
  }: {
    readonly denied: DeniedCalls;
    /** The calls restored so far; it grows. */
    readonly restored: Set<string>;
    /** The ids of its calls and their results; it grows. */
    readonly answered: Set<string>;
  },
): Restored {
  const nothing: Restored = { edits: [], calls: [] };
  const members = membersOf(text, message);
  const content = members?.get('content');
  if (content === undefined) return nothing;
  const calls: DeniedCall[] = [];
  let hasLegacy = isGiven(text, members?.get('function_call'));
  const take = (words: string): string => {
    const left: string[] = [];
    let at = 0;
    for (const { call, start, end } of denied.notedIn(words)) {
      // Some providers repeat an id, which the API refuses within one message.
      if (isOfOther(call)) continue;
      const isRestored = isLegacy(call) ? hasLegacy : answered.has(call.id);
      if (isRestored || restored.has(call.text + call.note)) continue;
      restored.add(call.text + call.note);
      if (isLegacy(call)) hasLegacy = true;
      else answered.add(call.id);
      calls.push(call);
      left.push(textBefore(words.slice(at, start)));
      at = end;
    }
    return left.join('') + words.slice(at);
  };
  const value = withoutNotes(text, content, take);
  if (calls.length === 0) return nothing;
  const legacy = calls.find(isLegacy);
  const past = calls.filter((call) => !isLegacy(call)).map((call) => call.text);
  const added = [
    ...(past.length === 0 ? [] : [{ name: 'tool_calls', value: behind(text, members?.get('tool_calls'), past) }]),
    ...(legacy === undefined ? [] : [{ name: 'function_call', value: legacy.text }]),
  ];
  return {
    edits: [...added.map(({ name, value: to }) => setMember(text, message, name, to)), { ...content, text: value }],
    calls,
  };
}

/** Returns the content without notes, as JSON text; null if nothing is left. @param take removes the notes from a text */
function withoutNotes(text: string, content: TextSpan, take: (words: string) => string): string {
  const whole = stringOf(text, content);
  if (whole !== undefined)
    return whole.includes(MARKED_NOTE) ? JSON.stringify(take(whole) || null) : text.slice(content.start, content.end);
  const parts = elementsOf(text, content) ?? [];
  const left = parts.flatMap((part) => {
    const source = text.slice(part.start, part.end);
    const span = membersOf(text, part)?.get('text');
    const words = stringOf(text, span);
    if (span === undefined || words?.includes(MARKED_NOTE) !== true) return [source];
    const rest = take(words);
    if (rest === words) return [source];
    return rest === ''
      ? []
      : [applyEdits(source, [{ start: span.start - part.start, end: span.end - part.start, text: JSON.stringify(rest) }])];
  });
  return left.length === 0 && parts.length > 0 ? 'null' : `[${left.join(',')}]`;
}

/** Appends elements to a list. @param list starts empty if it is not a list */
function behind(text: string, list: TextSpan | undefined, more: readonly string[]): string {
  const elements = elementsOf(text, list) ?? [];
  return `[${[...elements.map(({ start, end }) => text.slice(start, end)), ...more].join(',')}]`;
}

/** Returns the ids of the calls in a message, and of the call whose result it is. */
function idsIn(text: string, message: TextSpan): readonly string[] {
  const members = membersOf(text, message);
  const made = elementsOf(text, members?.get('tool_calls')) ?? [];
  const ids = [members?.get('tool_call_id'), ...made.map((call) => membersOf(text, call)?.get('id'))];
  return ids.map((id) => stringOf(text, id)).filter((id) => id !== undefined);
}

/** Returns the index of the last result after this message. */
function lastResult(text: string, messages: readonly TextSpan[], at: number): number {
  let last = at;
  for (let next = messages[last + 1]; next !== undefined; next = messages[last + 1]) {
    const role = stringOf(text, membersOf(text, next)?.get('role'));
    if (role !== 'tool' && role !== 'function') break;
    last++;
  }
  return last;
}

function formatResult(call: DeniedCall): string {
  if (isLegacy(call)) return JSON.stringify({ role: 'function', name: call.name, content: whyOf(call.note) });
  return JSON.stringify({ role: 'tool', tool_call_id: call.id, content: whyOf(call.note) });
}

/** Tells whether another API's model made the call: a conversation may go on in the words of another API of the same provider. */
function isOfOther({ text }: DeniedCall): boolean {
  const call: unknown = JSON.parse(text);
  return isObject(call) && 'type' in call && !('function' in call) && !('custom' in call);
}

/** Tells whether the call is from `function_call`, which can hold only one. */
function isLegacy({ text }: DeniedCall): boolean {
  const call: unknown = JSON.parse(text);
  return isObject(call) && !('function' in call) && !('custom' in call);
}

function isGiven(text: string, span: TextSpan | undefined): boolean {
  return span !== undefined && text.slice(span.start, span.end) !== 'null';
}
