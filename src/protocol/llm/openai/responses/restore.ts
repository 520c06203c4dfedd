import { isObject, type JsonObject } from '../../json-object.ts';
import { applyEdits, type Edit, elementsOf, membersOf, setMember, stringOf, type TextSpan, wholeOf } from '../../json-text.ts';
import type { DeniedCall, DeniedCalls } from '../../model-api.ts';
import { MARKED_NOTE, NOTE_ID, saidBefore } from '../../note.ts';
import { formatDenial, itemOfDenied } from './denial.ts';
import { markIn } from './note-item.ts';

/** A denied call with its item, and the items that tell it to the model. */
interface Restored {
  readonly call: DeniedCall;
  readonly item: JsonObject;
}

/**
 * Restores the denied calls in a request where their notes are, each with a result that says that it was denied; everything else stays byte
 * for byte. A continued answer has its calls already, so only the results are added, before the rest of the input.
 *
 * @param text one that `readResponsesRequest` could read
 */
export function restoreResponses(text: string, denied: DeniedCalls): string {
  const body = membersOf(text, wholeOf(text));
  const input = body?.get('input');
  const spans = elementsOf(text, input);
  const items = (spans ?? []).map((span) => ({ span, item: objectAt(text, span) }));
  const told = new Set(items.flatMap(({ item }) => idsIn(item)));
  const restored = new Set<string>();
  const take = (call: DeniedCall): Restored | undefined => {
    const item = itemOfDenied(call);
    // The API refuses an item that is there twice.
    if (item === undefined || restored.has(call.text) || told.has(call.id)) return undefined;
    restored.add(call.text);
    return { call, item };
  };
  const previous = continued(text, body);
  const waiting = previous === undefined ? [] : denied.ofAnswer(previous);
  const consents = items.flatMap(({ span, item }) => withdrawConsent(span, item, waiting));
  const results = waiting.flatMap((call) => {
    const taken = take(call);
    return taken === undefined ? [] : [formatDenial(taken.item, call)];
  });
  const notes = items.flatMap(({ span, item }) => restoreNote(text, { span, item }, { denied, take }));
  return applyEdits(text, [...addResults(text, { input, spans }, results), ...consents, ...notes]);
}

/** Returns the id of the answer, or of the conversation, that the request continues. */
function continued(text: string, body: ReadonlyMap<string, TextSpan> | undefined): string | undefined {
  const conversation = body?.get('conversation');
  const id = stringOf(text, conversation) ?? stringOf(text, membersOf(text, conversation)?.get('id'));
  return id ?? stringOf(text, body?.get('previous_response_id'));
}

/** Replaces the consent to a call that was denied: the provider would make the call. */
function withdrawConsent(span: TextSpan, item: JsonObject, waiting: readonly DeniedCall[]): readonly Edit[] {
  if (item['type'] !== 'mcp_approval_response' || item['approve'] === false) return [];
  const call = waiting.find(({ id }) => id === item['approval_request_id']);
  const made = call === undefined ? undefined : itemOfDenied(call);
  return call === undefined || made === undefined ? [] : [{ ...span, text: formatDenial(made, call) }];
}

function addResults(
  text: string,
  { input, spans }: { readonly input: TextSpan | undefined; readonly spans: readonly TextSpan[] | undefined },
  results: readonly string[],
): readonly Edit[] {
  if (results.length === 0) return [];
  const all = results.join(',');
  if (input !== undefined && spans !== undefined) {
    const at = input.start + 1;
    return [{ start: at, end: at, text: spans.length === 0 ? all : `${all},` }];
  }
  const said = stringOf(text, input);
  const rest = said === undefined ? '' : `,${JSON.stringify({ role: 'user', content: said })}`;
  return [setMember(text, wholeOf(text), 'input', `[${all}${rest}]`)];
}

/** Builds the edit that puts denied calls in place of an item with their notes: a message of ours, or one with a note in its text. */
function restoreNote(
  text: string,
  { span, item }: { readonly span: TextSpan; readonly item: JsonObject },
  { denied, take }: { readonly denied: DeniedCalls; readonly take: (call: DeniedCall) => Restored | undefined },
): readonly Edit[] {
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
  return isReference ? [] : restoreTexts(text, span, { denied, take });
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
      left.push(saidBefore(said.slice(at, start)));
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

/** Returns the ids of a call in the input, and of the call whose result an item is. */
function idsIn({ type, id, call_id: callId, approval_request_id: approval }: JsonObject): readonly string[] {
  const isCall = typeof type === 'string' && /_call(?:_output)?$|^mcp_approval_request$/.test(type);
  return [callId, approval, isCall ? id : undefined].filter((each) => typeof each === 'string');
}

function objectAt(text: string, { start, end }: TextSpan): JsonObject {
  const value: unknown = JSON.parse(text.slice(start, end));
  return isObject(value) ? value : {};
}
