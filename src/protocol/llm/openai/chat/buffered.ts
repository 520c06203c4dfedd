import { holdsCallWords, withoutEscapes } from '../../calls.ts';
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

/** Where a line of a batch's results has its answer. */
const ANSWER = ['response', 'body'];

/** What an answer with calls has in it, in the words of this API or of another one of OpenAI's. */
const ANSWER_WORDS = /"(?:choices|output)"/;
const CALL_WORDS = /"(?:tool_calls|function_call|custom_tool_call)"/;

/** A message of a whole answer, as far as it matters. */
interface ReadChoice {
  readonly span: TextSpan;
  readonly finish: unknown;
  readonly message: TextSpan;
  readonly content: unknown;
  /** Those of `tool_calls`, in order. */
  readonly calls: readonly ModelCall[];
  readonly legacy: ModelCall | undefined;
}

const UNREADABLE = 'a call in it cannot be read';
const UNCLEAR = 'it has a key that some readers take for another';

/**
 * The calls in a whole answer, with their arguments, in order. What has no `choices`, such as an error, has none.
 *
 * @param text JSON of one value; white space around it may belong to it
 * @param path where in it the answer is; nowhere where that leads to nothing
 * @returns what is wrong, where readers may differ on what the calls are
 */
export function findAnswerCalls(text: string, path: readonly string[] = []): readonly ModelCall[] | string {
  const choices = readAnswer(text, path);
  return typeof choices === 'string' ? choices : choices.flatMap(callsOf);
}

/**
 * The text with what was denied replaced by notes at the end of what each message says, and everything else as it was, byte for byte.
 *
 * @param text in which `findAnswerCalls` found calls, by the same path
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
  const said = notedContent(text, { message, content, notes });
  // Without what is removed there is nothing to put it behind.
  if (members?.size === removed.length) return [...edits, { ...message, text: `{"content":${said}}` }];
  // What is put in comes before what is taken out at the same place.
  return [...edits, setMember(text, message, 'content', said), ...removeMembers(text, message, removed)];
}

/** JSON text of what a message says, with notes behind it. */
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
  let said = typeof content === 'string' ? content : '';
  for (const note of notes) said += noteBehind(note, said !== '');
  return JSON.stringify(said);
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

/**
 * The calls in one line of a file: of a batch's results, which are JSON Lines with a whole answer each. A line that is not JSON is no answer, unless it looks
 * like one: there are readers that know numbers like `-Infinity`, drop a byte order mark, or end a line at a carriage return.
 *
 * @param line without its line end
 * @returns what is wrong, where readers may differ on what the calls are, or the answer is in another API's words
 */
export function findLineCalls(line: string): readonly ModelCall[] | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const plain = withoutEscapes(line);
    return ANSWER_WORDS.test(plain) && CALL_WORDS.test(plain) ? 'it is not JSON to all readers' : [];
  }
  const { response, ...others } = isObject(value) ? value : {};
  if ('custom_id' in others && holdsCallWords(others)) return 'a call is where none is expected';
  const body = isObject(response) ? response['body'] : undefined;
  if (!isObject(body) && holdsCallWords(response)) return 'a call is where none is expected';
  if (isObject(body) && 'output' in body) return 'it is an answer of another API';
  return findAnswerCalls(line, ANSWER);
}

/** The line with what was denied replaced by notes. @param verdicts one for each call that was found in it */
export function rewriteLine(line: string, verdicts: readonly CallVerdict[]): string {
  return rewriteAnswer(line, verdicts, ANSWER);
}
