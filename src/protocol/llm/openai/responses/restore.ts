import { isObject, type JsonObject, textOf } from '../../json-object.ts';
import {
  applyEdits,
  type Edit,
  elementsOf,
  membersOf,
  removeElements,
  setMember,
  stringOf,
  type TextSpan,
  wholeOf,
} from '../../json-text.ts';
import type { DeniedCall, DeniedCalls } from '../../model-api.ts';
import { MARKED_NOTE, NOTE_ID, textBefore } from '../../note.ts';
import { resultOf } from './call-kinds.ts';
import { formatDenial, itemOfDenied } from './denial.ts';
import { markIn } from './note-item.ts';

/** A denied call with its item, and the items that tell it to the model. */
interface Restored {
  readonly call: DeniedCall;
  readonly item: JsonObject;
}

/**
 * Restores the denied calls in a request where their notes are, each with a result that says that it was denied; everything else stays byte
 * for byte. A continued answer has its calls already, so only the results are added, before the rest of the input. The API refuses other
 * results of denied calls, and references to notes, so these are removed.
 *
 * @param text one that `readResponsesRequest` could read
 */
export function restoreResponses(text: string, denied: DeniedCalls): string {
  const body = membersOf(text, wholeOf(text));
  const input = body?.get('input');
  const spans = elementsOf(text, input);
  const items = (spans ?? []).map((span) => ({ span, item: objectAt(text, span) }));
  const previous = continued(text, body);
  const waiting = previous === undefined ? [] : denied.ofAnswer(previous);
  const made = new Set(items.map(({ item }) => idOfCall(item)));
  const isMadeUp = (item: JsonObject): boolean => {
    const id = resultOf(item);
    if (id === undefined) return false;
    // The provider would make a call with consent, wherever the question is.
    const isConsent = item['type'] === 'mcp_approval_response' && item['approve'] !== false;
    const isOwn = made.has(id) && !isConsent;
    return waiting.some((call) => call.id === id) || (denied.isDenied(id) && !isOwn);
  };
  const removed = new Set(items.flatMap(({ item }, at) => (isMadeUp(item) ? [at] : [])));
  const told = new Set([...made, ...items.map(({ item }, at) => (removed.has(at) ? undefined : resultOf(item)))]);
  const restored = new Set<string>();
  const take = (call: DeniedCall): Restored | undefined => {
    const item = itemOfDenied(call);
    // The API refuses an item that is there twice.
    if (item === undefined || restored.has(call.text) || told.has(call.id)) return undefined;
    restored.add(call.text);
    return { call, item };
  };
  const results = waiting.flatMap((call) => {
    const taken = take(call);
    return taken === undefined ? [] : [formatDenial(taken.item, call)];
  });
  const notes = items.flatMap(({ span, item }, at) => {
    const edits = restoreNote(text, { span, item }, { denied, take });
    if (edits === undefined) removed.add(at);
    return edits ?? [];
  });
  const rest = (spans ?? []).filter((_span, at) => !removed.has(at));
  return applyEdits(text, [
    ...addResults(text, { input, spans, isAlone: rest.length === 0 }, results),
    ...notes,
    ...removeElements(spans ?? [], (at) => removed.has(at)),
  ]);
}

/** Returns the id of the answer, or of the conversation, that the request continues. */
function continued(text: string, body: ReadonlyMap<string, TextSpan> | undefined): string | undefined {
  const conversation = body?.get('conversation');
  const id = stringOf(text, conversation) ?? stringOf(text, membersOf(text, conversation)?.get('id'));
  // Either may be the empty text, which is none.
  return id || stringOf(text, body?.get('previous_response_id')) || undefined;
}

function addResults(
  text: string,
  {
    input,
    spans,
    isAlone,
  }: { readonly input: TextSpan | undefined; readonly spans: readonly TextSpan[] | undefined; readonly isAlone: boolean },
  results: readonly string[],
): readonly Edit[] {
  if (results.length === 0) return [];
  const all = results.join(',');
  if (input !== undefined && spans !== undefined) {
    const at = input.start + 1;
    return [{ start: at, end: at, text: isAlone ? all : `${all},` }];
  }
  const said = stringOf(text, input);
  const rest = said === undefined ? '' : `,${JSON.stringify({ role: 'user', content: said })}`;
  return [setMember(text, wholeOf(text), 'input', `[${all}${rest}]`)];
}

/**
 * Builds the edit that puts denied calls in place of an item with their notes: a message of ours, or one with a note in its text. Undefined
 * for a reference to a message of ours that has no call here: the API does not know it.
 */
function restoreNote(
  text: string,
  { span, item }: { readonly span: TextSpan; readonly item: JsonObject },
  { denied, take }: { readonly denied: DeniedCalls; readonly take: (call: DeniedCall) => Restored | undefined },
): readonly Edit[] | undefined {
  const source = text.slice(span.start, span.end);
  if (!source.includes(NOTE_ID) && !source.includes(MARKED_NOTE)) return [];
  const { type = null, role = null, id } = item;
  // Neither a message nor a reference needs its type.
  const isReference = type === 'item_reference' || (type === null && role === null);
  if (!isReference && ((type !== null && type !== 'message') || role !== 'assistant')) return [];
  const mark = typeof id === 'string' ? markIn(id) : undefined;
  const own = mark === undefined ? undefined : denied.ofMark(mark);
  const taken = own === undefined ? undefined : take(own);
  if (taken !== undefined) return [{ ...span, text: formatCall(taken) }];
  if (isReference) return mark === undefined ? [] : undefined;
  return restoreTexts(text, span, { denied, take });
}

/** The same for notes within the text of a message, as clients have them that keep texts alone. */
function restoreTexts(
  text: string,
  span: TextSpan,
  { denied, take }: { readonly denied: DeniedCalls; readonly take: (call: DeniedCall) => Restored | undefined },
): readonly Edit[] {
  const content = membersOf(text, span)?.get('content');
  const parts = elementsOf(text, content)?.map((part) => membersOf(text, part)?.get('text'));
  const calls: string[] = [];
  let isSaid = false;
  const edits = (parts ?? [content]).flatMap((place): readonly Edit[] => {
    const said = stringOf(text, place);
    if (place === undefined || said === undefined) {
      isSaid = true;
      return [];
    }
    const left: string[] = [];
    let at = 0;
    for (const { call, start, end } of denied.notedIn(said)) {
      const taken = take(call);
      if (taken === undefined) continue;
      calls.push(formatCall(taken));
      left.push(textBefore(said.slice(at, start)));
      at = end;
    }
    const rest = left.join('') + said.slice(at);
    if (rest.trim() !== '') isSaid = true;
    return at === 0 ? [] : [{ ...place, text: JSON.stringify(rest) }];
  });
  if (calls.length === 0) return [];
  const all = calls.join(',');
  return isSaid ? [...edits, { start: span.end, end: span.end, text: `,${all}` }] : [{ ...span, text: all }];
}

function formatCall({ call, item }: Restored): string {
  return `${call.text},${formatDenial(item, call)}`;
}

/** Returns the id of a call in the input; undefined if the item is not a call. */
function idOfCall({ type, id, call_id: callId }: JsonObject): string | undefined {
  const isCall = typeof type === 'string' && /_call$|^mcp_approval_request$|^program$/.test(type);
  return isCall ? textOf(callId) || textOf(id) || undefined : undefined;
}

function objectAt(text: string, { start, end }: TextSpan): JsonObject {
  const value: unknown = JSON.parse(text.slice(start, end));
  return isObject(value) ? value : {};
}
