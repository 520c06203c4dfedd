import { parseBody } from '../../../audit/event-columns.ts';
import { CALL_TYPES, EVENT_TYPES, MODEL_CALL_TYPE } from '../../../audit/event-types.ts';
import { type Call, CALL_METHODS, CATEGORIES, type Category, NATIVE_SERVER, SUBJECT_METHODS } from '../../../core/call.ts';
import { exactJson, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts';
import { type Action, ACTIONS } from '../../../core/decision.ts';
import { isRedacted } from './unknown-values.ts';
import { isAnswerMethod } from '../../../gate/calls/answer-call.ts';
import { completeResource, toMethodCall } from '../../../gate/messages/methods.ts';

/** A call as its event tells it, whichever version has recorded that. What an event lacks is undefined, or empty. */
export interface RecordedCall {
  /** The id of its event; empty if that has none. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly call: Call;
  /** Its arguments as they are in the event, as JSON. */
  readonly input: string;
  /** Why something of its arguments was cut; undefined where the event does not say whether anything was. */
  readonly cuts: readonly string[] | undefined;
  /** True if its names are not known in full: they were cut, or have a secret in them. */
  readonly isNameUnknown: boolean;
  /** The same for its URI. */
  readonly isResourceUnknown: boolean;
  /** True if it was seen in the answer of a model. */
  readonly isModelCall: boolean;
  /** The policy's action, whatever a person said after that. */
  readonly action: Action;
  readonly reason: string;
  /** The name of the rule that decided; one of a project's begins with `project: `. */
  readonly rule: string | undefined;
  /** The rules on flow that found something. */
  readonly flow: readonly string[];
  /** The rules of detection that had found something in what was called. */
  readonly detections: readonly string[];
  readonly categories: readonly Category[] | undefined;
  readonly turn: string | undefined;
  readonly fingerprint: string | undefined;
  /** The outcome of asking a person; undefined if nobody was asked. */
  readonly approval: string | undefined;
  readonly isForwarded: boolean;
  readonly policyHash: string | undefined;
  /** The event in which the same call was seen before. */
  readonly firstSeenAs: string | undefined;
}

/** The method of each event type, for events that do not say. */
const METHODS: Readonly<Record<string, string>> = {
  mcp_tool_called: SUBJECT_METHODS.tool,
  [MODEL_CALL_TYPE]: SUBJECT_METHODS.tool,
  mcp_resource_read: SUBJECT_METHODS.resource,
  mcp_prompt_requested: SUBJECT_METHODS.prompt,
};

/** Names that must be known in full. A URI is matched like an argument, so only rules that ask for it are in doubt. */
const NAMES = ['server_id', 'method', 'tool_name', 'prompt_name'] as const;

/**
 * Reads the event of a call. Numbers in its arguments are kept as they were sent.
 *
 * @param body the event as JSON
 * @returns what is wrong with it, as half a sentence, where it tells of no decided call
 */
export function readRecordedCall(body: string): RecordedCall | string {
  const parsed = parseRecord(body);
  if (parsed === undefined) return 'it is no JSON object';
  const { event, input } = parsed;
  const time = Date.parse(textOf(event, 'timestamp') ?? '');
  if (Number.isNaN(time)) return 'its time is none';
  const action = actionOf(event);
  if (action === undefined) return 'it does not say what was decided';
  const call = callOf(event);
  if (call === undefined) return 'it does not say what was called';
  const skipped = skippedOf(event);
  const isNameUnknown = NAMES.some(
    (name) => isRedacted(textOf(event, name) ?? '') || skipped?.some(({ what }) => what === name) === true,
  );
  return {
    id: textOf(event, 'id') ?? '',
    time,
    session: textOf(event, 'session_id') ?? '',
    call,
    input,
    cuts: skipped?.filter(({ what }) => what === 'input').map(({ why }) => why),
    isNameUnknown,
    isResourceUnknown: isRedacted(call.resource ?? '') || skipped?.some(({ what }) => what === 'resource_uri') === true,
    isModelCall: textOf(event, 'type') === MODEL_CALL_TYPE,
    action,
    reason: textOf(event, 'reason') ?? '',
    rule: textOf(event, 'rule'),
    flow: wordsOf(event, 'flow'),
    detections: wordsOf(event, 'detections'),
    categories: categoriesOf(event),
    turn: textOf(event, 'turn_id'),
    fingerprint: textOf(event, 'tool_hash'),
    approval: textOf(event, 'approval'),
    isForwarded: event['action'] === 'allow',
    policyHash: textOf(event, 'policy_hash'),
    firstSeenAs: textOf(event, 'sighting_of'),
  };
}

interface Body {
  readonly event: JsonObject;
  /** Arguments as they are in the event, as JSON; empty where there are none. */
  readonly input: string;
}

function parseRecord(body: string): Body | undefined {
  try {
    const fast = JSON.parse(body) as JsonValue;
    if (!isJsonObject(fast)) return undefined;
    if (fast['input'] === undefined) return { event: fast, input: '' };
    const input = JSON.stringify(fast['input']);
    // Only numbers may have been sent in another spelling, and to keep all of those takes long.
    if (body.startsWith(input, body.indexOf(INPUT) + INPUT.length)) return { event: fast, input };
    const exact = parseJson(body);
    return isJsonObject(exact)
      ? { event: { ...fast, input: exact['input'] ?? null }, input: exactJson(exact['input'] ?? null) }
      : undefined;
  } catch (error) {
    // The caller reports the event; text that is nested too deeply is no event of ours.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

const COMPLETE = 'completion/complete';

const INPUT = '"input":';

/** Reads the decision; older events without one have only the action, which tells it unless clawai only observed. */
function actionOf(event: JsonObject): Action | undefined {
  const { decision, action, mode, reason } = event;
  const known = ACTIONS.find((each) => each === decision);
  if (known !== undefined || decision !== undefined || mode === 'observe') return known;
  const isAsked = event['approval'] !== undefined || (typeof reason === 'string' && reason.startsWith('approval_'));
  if (action !== 'allow' && action !== 'block') return undefined;
  if (isAsked) return 'prompt';
  return action === 'allow' ? 'allow' : 'deny';
}

function callOf(event: JsonObject): Call | undefined {
  const server = textOf(event, 'server_id');
  const type = textOf(event, 'type') ?? '';
  const method = textOf(event, 'method') ?? METHODS[type];
  if (server === undefined || method === undefined) return undefined;
  const tool = textOf(event, 'tool_name');
  const resource = textOf(event, 'resource_uri');
  const prompt = textOf(event, 'prompt_name');
  const input = event['input'];
  if (input !== undefined && !isJsonObject(input)) return undefined;
  const args = input === undefined ? {} : { args: input };
  const isModelCall = type === MODEL_CALL_TYPE;
  if (method === SUBJECT_METHODS.tool) {
    if (tool === undefined) return undefined;
    const isUnmapped = textOf(event, 'reason') === 'unmapped_tool';
    const origin = isModelCall && server === NATIVE_SERVER ? 'native' : isUnmapped ? 'unmapped' : undefined;
    return { method, server, tool, ...args, ...(origin === undefined ? {} : { origin }) };
  }
  if (resource !== undefined) {
    if (method === COMPLETE) return completeResource(server, resource, input ?? {});
    const read: Call = { method: SUBJECT_METHODS.resource, server, resource };
    return method === SUBJECT_METHODS.resource ? { ...read, ...args } : { method, server, resource, ...args, like: read };
  }
  if (prompt !== undefined) {
    const get: Call = { method: SUBJECT_METHODS.prompt, server, prompt, ...args };
    return method === SUBJECT_METHODS.prompt ? get : { ...get, method, like: get };
  }
  if (Object.values(METHODS).includes(method)) return undefined;
  if (isAnswerMethod(method)) return { method, server, isAnswer: true, ...args };
  // A server's request to a client is not read as a client's method.
  return { ...(CALL_METHODS.has(method) ? { method, server } : toMethodCall(server, method)), ...args };
}

interface Skipped {
  readonly what: string;
  readonly why: string;
}

function skippedOf(event: JsonObject): readonly Skipped[] | undefined {
  const { skipped } = event;
  if (!Array.isArray(skipped)) return undefined;
  return (skipped as readonly JsonValue[])
    .filter((item) => isJsonObject(item))
    .map((item) => ({ what: textOf(item, 'what') ?? '', why: textOf(item, 'why') ?? '' }));
}

function categoriesOf(event: JsonObject): readonly Category[] | undefined {
  const words = wordsOf(event, 'category');
  const categories = CATEGORIES.filter((category) => words.includes(category));
  return categories.length === 0 ? undefined : categories;
}

function wordsOf(event: JsonObject, name: string): readonly string[] {
  return textOf(event, name)?.split(' ') ?? [];
}

function textOf(event: JsonObject, name: string): string | undefined {
  const value = event[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Event types that report a change of something trusted. */
export const CHANGE_TYPES = ['mcp_tool_changed', 'mcp_server_changed'] as const;

/** An event as a replay reads it. `problem` is half a sentence. */
export type RecordedLine =
  | { readonly kind: 'call'; readonly body: string }
  | { readonly kind: 'change'; readonly server: string; readonly tool: string | undefined; readonly time: number }
  | { readonly kind: 'erased' | 'other' }
  | { readonly kind: 'unreadable'; readonly problem: string };

const CALLS: ReadonlySet<string> = new Set(CALL_TYPES);
const CHANGES: ReadonlySet<string> = new Set(CHANGE_TYPES);
const EVENTS: ReadonlySet<string> = new Set(EVENT_TYPES);

/** The type at the beginning of our events; parsing all of an event for it would take as long as all else. */
const TYPE = /^\{"type":"(\w+)"/;

/** Reads a line of `clawai log export`, of `clawai log --calls --json`, or of `events.jsonl`. */
export function readRecordedLine(line: string): RecordedLine {
  if (!line.startsWith('{"writer":')) return readEvent(line);
  const exported = parseBody(line);
  if (exported === undefined) return { kind: 'unreadable', problem: 'it is no JSON object' };
  if ('checkpoint' in exported) return { kind: 'other' };
  const { event, body } = exported;
  if (typeof body === 'string') return readEvent(body);
  if (event === null) return { kind: 'erased' };
  const at = line.indexOf('"event":');
  // Numbers in it have to stay as they were sent.
  return event === undefined || at === -1
    ? { kind: 'unreadable', problem: 'it has no event' }
    : readEvent(line.slice(at + '"event":'.length, line.lastIndexOf('}')));
}

/** @param body an event as it is stored */
export function readEvent(body: string): RecordedLine {
  const quick = TYPE.exec(body)?.[1];
  if (quick !== undefined && CALLS.has(quick)) return { kind: 'call', body };
  const fields = parseBody(body);
  if (fields === undefined) return { kind: 'unreadable', problem: 'it is no JSON object' };
  const { type, server_id: server, tool_name: tool, timestamp } = fields;
  if (typeof type !== 'string' || !EVENTS.has(type)) return { kind: 'unreadable', problem: 'it is no event of clawai' };
  if (CALLS.has(type)) return { kind: 'call', body };
  if (!CHANGES.has(type) || typeof server !== 'string') return { kind: 'other' };
  const isTool = typeof tool === 'string';
  // A change without a tool is of a resource or prompt, which is skipped, or of the server itself.
  if (type === 'mcp_tool_changed' && !isTool && fields['kind'] !== 'instructions') return { kind: 'other' };
  return { kind: 'change', server, tool: isTool ? tool : undefined, time: Date.parse(String(timestamp)) };
}
