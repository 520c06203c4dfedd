import { formatSseEvent } from '../../../sse/event.ts';
import { type SseEvent, SseSplitter } from '../../../sse/splitter.ts';
import { hasVariantKey, isObject, type JsonObject, knownKeys } from '../../json-object.ts';
import { elementsOf, findKeyProblem, membersOf, type TextSpan, wholeOf } from '../../json-text.ts';

const KEYS = knownKeys([
  'id',
  'object',
  'choices',
  'error',
  'usage',
  'index',
  'delta',
  'message',
  'finish_reason',
  'role',
  'content',
  'tool_calls',
  'function_call',
  'type',
  'function',
  'custom',
  'name',
  'arguments',
  'input',
]);

/** One of a chunk's choices. */
export interface ChunkChoice {
  readonly index: number;
  readonly value: JsonObject;
  /** Empty if there is none. */
  readonly delta: JsonObject;
  /** Pieces of calls, in order. */
  readonly toolCalls: readonly JsonObject[];
  readonly functionCall: JsonObject | undefined;
  /** Undefined until the choice is finished. */
  readonly finish: string | undefined;
}

/** One parsed event of a stream with a single reading. */
export interface Chunk {
  readonly kind: 'chunk' | 'error';
  readonly payload: JsonObject;
  readonly choices: readonly ChunkChoice[];
  /** The payload as JSON text on one line. */
  readonly data: string;
  readonly id: string | undefined;
  readonly retry: string | undefined;
  /** True if all readers read the original bytes alike. */
  readonly isPlain: boolean;
}

/** The data of the event that ends a stream. */
export const DONE = '[DONE]';

/**
 * Parses the payload of an event with data.
 *
 * @param data the event's
 * @returns `done` at the end of the stream; `nothing` for an event without content; a description of the fault if it has no single reading
 */
export function readChunk(event: SseEvent, data: Buffer): Chunk | { readonly kind: 'done' | 'nothing' } | string {
  const source = data.toString('utf8', event.dataStart, event.dataEnd);
  const trimmed = source.trim();
  if (trimmed === DONE) return { kind: 'done' };
  // Empty data is specified to be no event, though some clients fail to parse it.
  if (trimmed === '') return { kind: 'nothing' };
  let payload: unknown;
  try {
    payload = JSON.parse(source);
  } catch {
    return 'an event whose data is not JSON';
  }
  if (!isObject(payload)) return 'an event whose data is no object';
  // This is a keep-alive of another API, at which this API's clients fail.
  if (payload['type'] === 'ping' && !('choices' in payload) && !('error' in payload)) return { kind: 'nothing' };
  const problem = findKeyProblem(source);
  if (problem === 'too_deep') return 'an event that is nested too deeply';
  const choices = readChoices(payload);
  if (typeof choices === 'string') return choices;
  // A line feed in valid JSON is white space.
  const text = problem === undefined ? source.replaceAll(/[\r\n]/g, ' ') : JSON.stringify(payload);
  const isNamedError = event.event === 'error' && !isTrue(payload['error']);
  const isError = isNamedError || isTrue(payload['error']);
  return {
    kind: isError ? 'error' : 'chunk',
    payload,
    choices,
    // An error that the event's name declares is rewritten without a name.
    data: isNamedError ? `{"error":${text}}` : text,
    id: event.id,
    retry: event.retry,
    isPlain: problem === undefined && event.isPlain && event.event === undefined && !source.includes('\ufffd'),
  };
}

const BLANK_LINE = Buffer.from('\n\n');

/**
 * Visits the stream's last event if no blank line ends it: some clients read it if it is whole, and with a blank line all do.
 *
 * @param rest the bytes after the previous event
 */
export function visitRest(rest: Buffer, visit: (event: SseEvent) => void): void {
  const splitter = new SseSplitter({ maxFrame: rest.length + BLANK_LINE.length });
  splitter.push(Buffer.concat([rest, BLANK_LINE]), (event) => {
    if (event.data !== undefined && typeof readChunk(event, event.data) !== 'string') visit(event);
  });
}

/** Formats the chunk's frame in canonical form, without an event name, since some clients fail at one. @param data another payload */
export function formatChunk({ id, retry }: Pick<Chunk, 'id' | 'retry'>, data: string): string {
  return formatSseEvent({ id, retry, data });
}

/** Returns the spans of a chunk's choices in its text, in order. */
export function choiceSpans({ data }: Chunk): readonly TextSpan[] {
  const span = membersOf(data, wholeOf(data))?.get('choices');
  return elementsOf(data, span) ?? [];
}

function readChoices(payload: JsonObject): readonly ChunkChoice[] | string {
  if (hasDoubtfulKey(payload)) return 'an event with a key that some readers take for another';
  const { choices = null } = payload;
  if (choices === null) return [];
  if (!Array.isArray(choices)) return 'choices that cannot be read';
  const read: ChunkChoice[] = [];
  for (const value of choices as readonly unknown[]) {
    const choice = isObject(value) ? readChoice(value, choices.length === 1) : 'a choice that cannot be read';
    if (typeof choice === 'string') return choice;
    read.push(choice);
  }
  if (new Set(read.map(({ index }) => index)).size < read.length) return 'a choice that is there twice';
  return read;
}

function readChoice(value: JsonObject, isAlone: boolean): ChunkChoice | string {
  const { index, delta: rawDelta = null, finish_reason: finish = null, message = null } = value;
  const delta = rawDelta ?? {};
  const place = index ?? (isAlone ? 0 : undefined);
  if (!isIndex(place)) return 'a choice without an index';
  if (!isObject(delta) || (finish !== null && typeof finish !== 'string')) return 'a choice that cannot be read';
  // Some clients take it for the message so far.
  if (isObject(message) && hasCalls(message)) return 'a call in a message that is not streamed';
  const { tool_calls: toolCalls = null, function_call: functionCall = null } = delta;
  const parts: readonly unknown[] | null = toolCalls === null ? [] : Array.isArray(toolCalls) ? toolCalls : null;
  if (parts === null || !parts.every(isObject) || (functionCall !== null && !isObject(functionCall)))
    return 'a part of a call that cannot be read';
  if (!parts.every(({ index: at = null }) => at === null || isIndex(at))) return 'a part of a call at no place';
  const objects = [value, delta, ...(isObject(message) ? [message] : []), ...[...parts, functionCall ?? {}].flatMap(withInner)];
  if (objects.some(hasDoubtfulKey)) return 'an event with a key that some readers take for another';
  return {
    index: place,
    value,
    delta,
    toolCalls: parts,
    functionCall: functionCall ?? undefined,
    finish: finish === null || finish === '' ? undefined : finish,
  };
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function hasCalls({ tool_calls: calls = null, function_call: call = null }: JsonObject): boolean {
  const isNone = calls === null || (Array.isArray(calls) && calls.length === 0);
  return !isNone || call !== null;
}

function withInner(part: JsonObject): readonly JsonObject[] {
  return [part, ...[part['function'], part['custom']].filter(isObject)];
}

/** Tells whether clients take the value for true. */
function isTrue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0;
}

/**
 * Tells whether an object of an answer has a key that only some readers take for another, or `__proto__`, which gives it hidden members.
 */
export function hasDoubtfulKey(object: JsonObject): boolean {
  return Object.hasOwn(object, '__proto__') || hasVariantKey(object, KEYS);
}

/**
 * Formats an error as the API's SDKs read it, as a body or as the data of an event. @param kind whose fault it is: the client's, or ours
 * and upstream's
 */
export function formatError(message: string, kind: 'request' | 'server'): string {
  const type = kind === 'request' ? 'invalid_request_error' : 'server_error';
  return JSON.stringify({ error: { message, type, param: null, code: null } });
}
