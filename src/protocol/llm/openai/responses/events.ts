import type { SseEvent } from '../../../sse/splitter.ts';
import { holdsCallWords } from '../../calls.ts';
import { hasVariantKey, isObject, type JsonObject, knownKeys, objectsIn } from '../../json-object.ts';
import { formatUnknown } from '../../note.ts';
import { type Frame, readTypedFrame } from '../../typed-frame.ts';
import { isKnownItem, isTextItem } from './call-kinds.ts';
import { hasDoubtfulKey } from './item-call.ts';

/**
 * The role of an event. `snapshot` and `end`: the whole answer so far, and at last. `begin` and `done`: an item. `first`, `piece` and
 * `whole`: the beginning of a text in a call's arguments, a part of it, and all of it. `error`, `alive`: by their names. `other`: anything
 * else, with or without an item.
 */
export type EventRole = 'snapshot' | 'end' | 'begin' | 'done' | 'first' | 'piece' | 'whole' | 'error' | 'alive' | 'other';

const ROLES: ReadonlyMap<string, EventRole> = new Map<string, EventRole>([
  ['response.created', 'snapshot'],
  ['response.queued', 'snapshot'],
  ['response.in_progress', 'snapshot'],
  ['response.compaction.compacting', 'snapshot'],
  ['response.completed', 'end'],
  ['response.incomplete', 'end'],
  ['response.failed', 'end'],
  ['response.cancelled', 'end'],
  ['response.output_item.added', 'begin'],
  ['response.output_item.done', 'done'],
  ['response.function_call_arguments.delta', 'piece'],
  ['response.function_call_arguments.done', 'whole'],
  ['response.custom_tool_call_input.delta', 'piece'],
  ['response.custom_tool_call_input.done', 'whole'],
  ['response.shell_call_command.added', 'first'],
  ['response.shell_call_command.delta', 'piece'],
  ['response.shell_call_command.done', 'whole'],
  ['response.mcp_call_arguments.delta', 'piece'],
  ['response.mcp_call_arguments.done', 'whole'],
  ['response.code_interpreter_call_code.delta', 'piece'],
  ['response.code_interpreter_call_code.done', 'whole'],
  ['error', 'error'],
  ['keepalive', 'alive'],
]);

/** Other known events: text, reasoning, sound, and the progress of what the provider runs. */
const OTHERS = new RegExp(
  `^response\\.(?:${[
    String.raw`content_part\.(?:added|done)`,
    String.raw`(?:output_text|refusal|reasoning_text|reasoning_summary_text|reasoning_summary|reasoning|audio|audio\.transcript)\.(?:delta|done)`,
    String.raw`output_text\.annotation\.added`,
    String.raw`reasoning_summary_part\.(?:added|done)`,
    String.raw`shell_call_output_content\.(?:delta|done)`,
    String.raw`(?:web_search|file_search|code_interpreter|image_generation|mcp)_call\.[a-z_]+`,
    String.raw`mcp_list_tools\.[a-z_]+`,
  ].join('|')})$`,
);

/** Members of an unknown event that may be a call, or a part of one. */
const OF_CALLS = ['item', 'response', 'arguments', 'input', 'command', 'commands', 'code', 'action', 'operation', 'patch'];

/** The member of an event that is read by its role. */
const READ: Readonly<Partial<Record<EventRole, string>>> = { begin: 'item', done: 'item', snapshot: 'response', end: 'response' };

/** Members of an event about a call's arguments with their text: exactly one of them is read. */
export const TEXTS = ['delta', 'arguments', 'input', 'command', 'code'] as const;

/** Roles of events with all of a call's arguments, and bytes from which such an event is long. */
const HELD: ReadonlySet<EventRole> = new Set(['whole', 'done', 'end']);
const LONG = 512 * 1024;

const KEYS = knownKeys([
  'type',
  'item',
  'output_index',
  'response',
  'delta',
  'arguments',
  'input',
  'command',
  'command_index',
  'code',
  'error',
]);

const RESPONSE_KEYS = knownKeys(['id', 'output', 'conversation', 'status']);

/** Members of an answer that repeat the request, or count what has run. */
const TELLING: ReadonlySet<string> = new Set(
  `conversation error incomplete_details input input_transformations instructions metadata moderation output
  previous_response_id prompt reasoning text tool_choice tool_usage tools usage`.split(/\s+/),
);

/** Tells whether nothing more of an answer comes after an event of this type. */
export function endsAnswer(type: string): boolean {
  const role = ROLES.get(type);
  return role === 'end' || role === 'error';
}

/** Tells whether an event is about the arguments of a call. */
export function isOfCall(role: EventRole): boolean {
  return role === 'first' || role === 'piece' || role === 'whole';
}

/** Names the text of a call that an event is about: by the kind of the events, and the number of the command. */
export function textPlaceOf(type: string, payload: JsonObject): string {
  return `${type.slice(0, type.lastIndexOf('.'))} ${String(payload['command_index'] ?? '')}`;
}

/** An event with the parts that matter here. */
export interface ResponseEvent extends Frame {
  readonly role: EventRole;
  /** The index of its item; undefined if it has none. */
  readonly index: number | undefined;
  readonly sequence: number | undefined;
  /** Unknown content that may be a part of a call, described in words. It does not pass. */
  readonly doubt: string | undefined;
}

/**
 * Parses an event.
 *
 * @param passesUnknown false if unknown content is a fault
 * @param shorten returns the JSON text of a long event with stand-ins for texts that are known, if it has some
 * @returns a description of the fault if it has no single reading
 */
export function readEvent(
  event: SseEvent,
  data: Buffer,
  passesUnknown = false,
  shorten: (data: Buffer, start: number, end: number) => string | undefined = () => undefined,
): ResponseEvent | string {
  // A whole text or item is written anew: its bytes would be one more copy while it is decided.
  const isHeld = HELD.has(ROLES.get(event.event ?? '') ?? 'other') && event.end - event.start > LONG;
  const frame = readTypedFrame(event, data, hasVariant, isHeld ? shorten : undefined);
  if (typeof frame === 'string') return frame;
  const role = ROLES.get(frame.type) ?? 'other';
  const { output_index: index = null, sequence_number: sequence } = frame.payload;
  if (index !== null && !isIndex(index)) return 'an item at no place';
  const fault = passesUnknown ? undefined : findUnknown(frame, role);
  if (fault !== undefined) return fault;
  const doubt = passesUnknown ? undefined : findDoubt(frame, role);
  return { ...frame, role, index: index ?? undefined, sequence: typeof sequence === 'number' ? sequence : undefined, doubt };
}

function hasVariant(payload: JsonObject): boolean {
  const { item, response } = payload;
  return (
    Object.hasOwn(payload, '__proto__') ||
    hasVariantKey(payload, KEYS) ||
    (isObject(item) && hasDoubtfulKey(item)) ||
    (isObject(response) && hasDoubtfulPart(response))
  );
}

/** Tells whether an answer, or an item in it, has a key that only some readers take for another. */
export function hasDoubtfulPart(response: JsonObject): boolean {
  return (
    Object.hasOwn(response, '__proto__') ||
    hasVariantKey(response, RESPONSE_KEYS) ||
    objectsIn(response['output']).some(hasDoubtfulKey)
  );
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Finds unknown content that may be a call, in the member that is read by the event's role. */
function findUnknown({ payload }: Frame, role: EventRole): string | undefined {
  const read = READ[role];
  if (read === undefined) return undefined;
  const value = payload[read];
  if (!isObject(value)) return 'an event that cannot be read';
  return read === 'item' ? findUnknownInItem(value) : findUnknownInResponse(value);
}

/** Finds unknown content that may be a part of a call, elsewhere in the event. */
function findDoubt({ type, payload }: Frame, role: EventRole): string | undefined {
  const read: ReadonlySet<string | undefined> = new Set(['type', READ[role], ...(isOfCall(role) ? TEXTS : [])]);
  const around = Object.fromEntries(Object.entries(payload).filter(([key]) => !read.has(key)));
  if (holdsCallWords(around) || [around['item'], around['response']].some(isObject)) return 'a call where none is expected';
  const isKnown = role !== 'other' || OTHERS.test(type);
  const isDoubtful = (!isKnown || isOfCall(role)) && OF_CALLS.some((key) => (around[key] ?? null) !== null);
  return isDoubtful ? formatUnknown('an event', type) : undefined;
}

function findUnknownInItem(item: JsonObject): string | undefined {
  const { type } = item;
  if (!isKnownItem(type)) return formatUnknown('an item', String(type));
  return isTextItem(type) && holdsCallWords(item) ? 'a call where none is expected' : undefined;
}

/** Finds unknown content in a whole answer that may be a call. */
export function findUnknownInResponse(response: JsonObject): string | undefined {
  const { output = null } = response;
  if (output !== null && !Array.isArray(output)) return 'an output that cannot be read';
  for (const item of (output ?? []) as readonly unknown[]) {
    const fault = isObject(item) ? findUnknownInItem(item) : 'an item that is no object';
    if (fault !== undefined) return fault;
  }
  const around = Object.fromEntries(Object.entries(response).filter(([key]) => !TELLING.has(key)));
  return holdsCallWords(around) ? 'a call where none is expected' : undefined;
}

/** Returns the id by which a later request continues an answer: the conversation's, if it is in one. */
export function idOf({ id, conversation }: JsonObject): string | undefined {
  const of = isObject(conversation) ? conversation['id'] : conversation;
  return [of, id].find((each) => typeof each === 'string' && each !== '') as string | undefined;
}
