import type { CallVerdict, ModelCall } from '../../dialect.ts';
import { isObject, type JsonObject } from '../../json-object.ts';
import {
  applyEdits,
  type Edit,
  elementsOf,
  findKeyProblem,
  membersOf,
  removeElements,
  removeMembers,
  setMember,
  type TextSpan,
  wholeOf,
} from '../../json-text.ts';
import { noteBehind, noteOf } from '../../note.ts';
import { isToolReason } from './chunk-edits.ts';
import { hasDoubtfulKey } from './chunk.ts';
import { OpenCall } from './open-call.ts';
import { findUnknownCall } from './unknown-call.ts';

/** A message of a whole answer, with the parts that matter here. */
interface ReadChoice {
  readonly span: TextSpan;
  readonly finish: unknown;
  readonly message: TextSpan;
  readonly content: unknown;
  /** The calls of `tool_calls`, in order. */
  readonly calls: readonly ModelCall[];
  readonly legacy: ModelCall | undefined;
}

const UNREADABLE = 'a call in it cannot be read';
const UNCLEAR = 'it has a key that some readers take for another';

/**
 * Finds the calls in a whole answer, with their arguments, in order. A body without `choices`, such as an error, has none.
 *
 * @param text JSON of one value, perhaps with white space around
 * @param path to the answer in it; if it leads nowhere, there are no calls
 * @returns a description of the fault if readers may differ on the calls
 */
export function findAnswerCalls(text: string, path: readonly string[] = []): readonly ModelCall[] | string {
  const choices = readAnswer(text, path);
  return typeof choices === 'string' ? choices : choices.flatMap(callsOf);
}

/**
 * Replaces denied calls by notes at the end of each message's text; everything else stays byte for byte.
 *
 * @param text one in which `findAnswerCalls` found calls, with the same path
 * @param verdicts one for each of them; a call without one is denied
 */
export function rewriteAnswer(text: string, verdicts: readonly CallVerdict[], path: readonly string[] = []): string {
  const choices = readAnswer(text, path);
  if (typeof choices === 'string') throw new Error(`the answer cannot be rewritten: ${choices}`);
  const open = [...verdicts];
  return applyEdits(
    text,
    choices.flatMap((choice) => editChoice(text, choice, open.splice(0, callsOf(choice).length))),
  );
}

function callsOf({ calls, legacy }: ReadChoice): readonly ModelCall[] {
  return legacy === undefined ? calls : [...calls, legacy];
}

function editChoice(text: string, choice: ReadChoice, verdicts: readonly CallVerdict[]): readonly Edit[] {
  const { span, message, calls, legacy, content, finish } = choice;
  const all = callsOf(choice);
  const isDenied = (at: number): boolean => verdicts[at]?.isAllowed !== true;
  const notes = all.flatMap((call, at) => {
    const verdict = verdicts[at];
    return verdict?.isAllowed === true ? [] : noteOf(verdict?.note, call);
  });
  if (notes.length === 0) return [];
  const members = membersOf(text, message);
  const removed = [
    ...(calls.length > 0 && calls.every((_call, at) => isDenied(at)) ? ['tool_calls'] : []),
    ...(legacy !== undefined && isDenied(calls.length) ? ['function_call'] : []),
  ];
  const list = removed.includes('tool_calls') ? undefined : members?.get('tool_calls');
  const edits = [...(list === undefined ? [] : removeElements(elementsOf(text, list) ?? [], isDenied))];
  if (notes.length === all.length && isToolReason(finish)) edits.push(setMember(text, span, 'finish_reason', '"stop"'));
  const newContent = notedContent(text, { message, content, notes });
  // All members are removed, so there is none to insert before.
  if (members?.size === removed.length) return [...edits, { ...message, text: `{"content":${newContent}}` }];
  // An insertion must come before a removal at the same place.
  return [...edits, setMember(text, message, 'content', newContent), ...removeMembers(text, message, removed)];
}

/** Returns the JSON text of a message's content with notes appended. */
function notedContent(
  text: string,
  { message, content, notes }: Pick<ReadChoice, 'message' | 'content'> & { readonly notes: readonly string[] },
): string {
  const list = membersOf(text, message)?.get('content');
  const parts = elementsOf(text, list);
  if (list !== undefined && parts !== undefined) {
    const added = notes.map((note) => JSON.stringify({ type: 'text', text: note })).join(',');
    return `${text.slice(list.start, list.end - 1)}${parts.length === 0 ? '' : ','}${added}]`;
  }
  let newContent = typeof content === 'string' ? content : '';
  for (const note of notes) newContent += noteBehind(note, newContent !== '');
  return JSON.stringify(newContent);
}

function readAnswer(text: string, path: readonly string[]): readonly ReadChoice[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (findKeyProblem(text) !== undefined) return 'a key occurs twice in it, or it is nested too deeply';
  let span: TextSpan = wholeOf(text);
  for (const key of path) {
    const inner = membersOf(text, span)?.get(key);
    if (inner === undefined || !isObject(value)) return [];
    value = value[key];
    span = inner;
  }
  if (!isObject(value)) return path.length > 0 ? [] : 'it is no object';
  if (hasDoubtfulKey(value)) return UNCLEAR;
  const unknown = findUnknownCall(value, 'message');
  if (unknown !== undefined) return `it has ${unknown}`;
  const { choices = null, id } = value;
  if (choices === null) return [];
  const list = membersOf(text, span)?.get('choices');
  const spans = elementsOf(text, list);
  if (spans === undefined || !Array.isArray(choices)) return 'its choices cannot be read';
  const read: ReadChoice[] = [];
  for (const [at, each] of spans.entries()) {
    const choice = readChoice(text, { span: each, value: choices[at], answer: typeof id === 'string' ? id : undefined });
    if (typeof choice === 'string') return choice;
    if (choice !== undefined) read.push(choice);
  }
  return read;
}

function readChoice(
  text: string,
  { span, value, answer }: { readonly span: TextSpan; readonly value: unknown; readonly answer: string | undefined },
): ReadChoice | string | undefined {
  if (!isObject(value)) return 'a choice in it is no object';
  if (hasDoubtfulKey(value)) return UNCLEAR;
  const { message, finish_reason: finish } = value;
  const place = membersOf(text, span)?.get('message');
  if (place === undefined || message === null) return undefined;
  if (!isObject(message)) return 'a message in it is no object';
  if (hasDoubtfulKey(message)) return UNCLEAR;
  const { tool_calls: toolCalls = null, function_call: functionCall = null, content } = message;
  const parts: readonly unknown[] | null = toolCalls === null ? [] : Array.isArray(toolCalls) ? toolCalls : null;
  if (parts === null || !parts.every(isObject) || (functionCall !== null && !isObject(functionCall))) return UNREADABLE;
  const calls = parts.map((part) => readCall(part, false, answer));
  const legacy = functionCall === null ? undefined : readCall(functionCall, true, answer);
  const fault = [...calls, legacy].find((call) => typeof call === 'string');
  if (typeof fault === 'string') return fault;
  return {
    span,
    finish,
    message: place,
    content,
    calls: calls.filter((call) => typeof call !== 'string'),
    legacy: typeof legacy === 'string' ? undefined : legacy,
  };
}

function readCall(part: JsonObject, isLegacy: boolean, answer: string | undefined): ModelCall | string {
  const inner = [part['function'], part['custom']].filter(isObject);
  if ([part, ...inner].some(hasDoubtfulKey)) return UNCLEAR;
  const call = new OpenCall({ room: { left: Number.POSITIVE_INFINITY }, isLegacy, answer });
  call.add(part);
  return call.name === '' ? 'a call in it has no name' : call.complete();
}
