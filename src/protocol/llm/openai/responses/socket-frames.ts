import type { SseEvent } from '../../../sse/event.ts';
import { holdsCallWords } from '../../calls.ts';
import { hasVariantKey, isObject, type JsonObject, knownKeys, textOf } from '../../json-object.ts';
import { applyEdits, findKeyProblem, membersOf, setMember, wholeOf } from '../../json-text.ts';
import { readRequestBody } from '../../read-request.ts';
import { endsAnswer, idOf } from './events.ts';
import { resultOf } from './call-kinds.ts';

/** Most characters of a lane's name, and of a name that people are shown. */
const MOST_NAME = { lane: 256, shown: 64 } as const;

/**
 * A frame of the client in the API's WebSocket mode. `create`: a request for an answer, in a lane of its own if it names one. `steer`: it only
 * adds words of the user. `interrupt`: it only ends an answer.
 */
export interface ClientFrame {
  readonly kind: 'create' | 'steer' | 'interrupt';
  readonly lane: string | undefined;
}

/** A frame of the provider: an event of an answer, or a receipt for what the client has sent. */
export interface ServerFrame {
  readonly type: string | undefined;
  readonly lane: string | undefined;
  /** The API's id of its answer, or of the conversation that contains it. */
  readonly answer: string | undefined;
  readonly isReceipt: boolean;
  /** True if nothing more of its answer follows. */
  readonly isEnd: boolean;
  /** True if an answer begins with it, perhaps one that nobody asked for: what the user has added is answered by itself. */
  readonly isBeginning: boolean;
}

const CLIENT_KEYS = knownKeys([
  'type',
  'stream_id',
  'generate',
  'response',
  'previous_response_id',
  'input',
  'response_id',
  'mode',
]);
const SERVER_KEYS = knownKeys(['type', 'stream_id']);
const MESSAGE_KEYS = knownKeys(['type', 'role', 'content', 'tools', 'call_id', 'output']);

/**
 * Reads a frame of the client.
 *
 * @returns for people: the reason why it is refused, as readers may differ on it, or nobody knows what it does
 */
export function readClientFrame(text: string): ClientFrame | string {
  const frame = readRequestBody(text);
  if (typeof frame === 'string') return frame;
  const { type, stream_id: lane = null } = frame;
  if (hasVariantKey(frame, CLIENT_KEYS)) return 'the request has a key that some readers take for another';
  if (lane !== null && (typeof lane !== 'string' || lane === '' || lane.length > MOST_NAME.lane))
    return 'the request has a stream_id that cannot be read';
  const named = lane ?? undefined;
  switch (type) {
    case 'response.create':
      // Some readers may take its parameters from there, others those beside it.
      return Object.hasOwn(frame, 'response')
        ? 'the parameters of response.create belong beside its type'
        : { kind: 'create', lane: named };
    case 'response.steer':
      return isSteering(frame) ? { kind: 'steer', lane: named } : 'response.steer may only have messages of the user';
    case 'response.interrupt':
      return isInterrupt(frame) ? { kind: 'interrupt', lane: named } : 'response.interrupt has members that clawai does not know';
    default:
      return `clawai does not know what it does, as its type is ${JSON.stringify(textOf(type).slice(0, MOST_NAME.shown))}`;
  }
}

/** Tells whether the frame has nothing but words of the user: no tools, and no results of calls. */
function isSteering(frame: JsonObject): boolean {
  const { input } = frame;
  if (!hasOnly(frame, ['type', 'previous_response_id', 'input']) || typeof frame['previous_response_id'] !== 'string')
    return false;
  if (typeof input === 'string') return true;
  return Array.isArray(input) && input.every((item) => isObject(item) && isUserMessage(item));
}

function isUserMessage(item: JsonObject): boolean {
  const { type = 'message', role } = item;
  return (
    type === 'message' && role === 'user' && !hasVariantKey(item, MESSAGE_KEYS) && !holdsCallWords(item) && !('tools' in item)
  );
}

function isInterrupt(frame: JsonObject): boolean {
  return (
    hasOnly(frame, ['type', 'response_id', 'mode', 'stream_id']) &&
    Object.values(frame).every((value) => typeof value === 'string')
  );
}

function hasOnly(object: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(object).every((key) => keys.includes(key));
}

/** Reads a frame of the provider. @returns a description of the fault if it has no single reading */
export function readServerFrame(text: string): ServerFrame | string {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    // Some clients skip such a frame, some repair it.
    return 'an event whose data is not JSON';
  }
  if (!isObject(frame)) return 'an event whose data is no object';
  const { type, stream_id: lane = null, response } = frame;
  if ((lane !== null && typeof lane !== 'string') || hasVariantKey(frame, SERVER_KEYS)) return 'an event of no stream';
  const name = typeof type === 'string' ? type : undefined;
  const isSteer = name?.startsWith('response.steer.') === true;
  if (isSteer && (!isReceipt(frame) || findKeyProblem(text) !== undefined)) return 'a receipt that cannot be read';
  return {
    type: name,
    lane: lane ?? undefined,
    answer: isObject(response) ? idOf(response) : undefined,
    isReceipt: isSteer,
    isEnd: name !== undefined && endsAnswer(name),
    isBeginning: name === 'response.created' || name === 'response.queued',
  };
}

/** Tells whether a receipt for a user's words has no call in it. It may name the calls whose results the answer waits for. */
function isReceipt(frame: JsonObject): boolean {
  const { required_input: due = [], ...others } = frame;
  const isKnown = hasOnly(others, ['type', 'sequence_number', 'stream_id', 'steer', 'error', 'reason']);
  return isKnown && !holdsCallWords(others) && Array.isArray(due) && due.every((item) => isObject(item) && isDueResult(item));
}

function isDueResult(item: JsonObject): boolean {
  return (
    resultOf(item) !== undefined &&
    hasOnly(item, ['type', 'call_id', 'name', 'execution', 'approval_request_id']) &&
    Object.values(item).every((value) => typeof value === 'string')
  );
}

/** Presents a frame as the event that it would be in a stream of server-sent events. */
export function toEvent(data: Buffer, type: string | undefined): SseEvent {
  const end = data.length;
  return {
    bytes: data,
    start: 0,
    end,
    isJoined: false,
    data,
    dataStart: 0,
    dataEnd: end,
    event: type,
    id: undefined,
    retry: undefined,
    isPlain: true,
    isFramePlain: true,
  };
}

/** Returns the frames for server-sent events that we have written ourselves, each with its data in one line. */
export function toFrames(events: string, lane: string | undefined): readonly string[] {
  const frames = events.split('\n').flatMap((line) => (line.startsWith(DATA) ? [line.slice(DATA.length)] : []));
  return lane === undefined ? frames : frames.map((frame) => inLane(frame, lane));
}

const DATA = 'data: ';

function inLane(frame: string, lane: string): string {
  const whole = wholeOf(frame);
  return membersOf(frame, whole)?.has('stream_id') === true
    ? frame
    : applyEdits(frame, [setMember(frame, whole, 'stream_id', JSON.stringify(lane))]);
}

/** Formats our refusal of a frame, or the replacement of the provider's. @param error as in an error's body in the API */
export function formatRefusal(
  error: string,
  { status, lane }: { readonly status: number; readonly lane: string | undefined },
): string {
  const body = JSON.parse(error) as object;
  return JSON.stringify({ type: 'error', status, ...body, ...(lane === undefined ? {} : { stream_id: lane }) });
}
