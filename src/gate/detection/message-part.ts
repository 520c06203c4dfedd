import type { TextField, TextOrigin } from '../../core/detect/types.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Detection, OnText } from '../../core/policy/parse-detection.ts';
import { NAME_MEMBERS } from '../../core/registry/fingerprint.ts';
import { MOST_NAME } from '../../core/registry/read-listing.ts';
import type { Message, Span } from '../../protocol/message.ts';
import { declaringOf, type ListMethod } from '../messages/list-methods.ts';
import { readSmallObject } from '../messages/message-parts.ts';
import type { PendingRequest } from '../messages/pending.ts';
import type { ForwardedCall } from '../recorder.ts';
import type { LeftOut } from './spanned-texts.ts';

const STRICTEST: readonly OnText[] = ['deny', 'redact', 'alert'];

/** The part of a message that contains texts, and their kind. */
export interface MessagePart {
  readonly origin: TextOrigin;
  readonly span: Span;
  /** Prefix of its fields; empty in a result. */
  readonly prefix: string;
  /** Method of the message, or of the request that it answers. */
  readonly method: string | undefined;
  /** The call that it answers. */
  readonly source: ForwardedCall | undefined;
  /** True for an answer that also asks for something: clients that do not know of input requests read it as a plain answer. */
  readonly isBoth: boolean;
  /** Texts that are scanned as definitions instead. */
  readonly leftOut?: LeftOut | undefined;
}

/** Origins of answers by method; all others are results. */
const RESULTS: ReadonlyMap<string, TextOrigin> = new Map([
  ['resources/read', 'resource'],
  ['resources/directory/read', 'resource'],
  ['prompts/get', 'prompt'],
]);

const REQUESTS: ReadonlyMap<string, TextOrigin> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
]);

/** Bytes of an empty object, which answers pings: there may be thousands. */
const EMPTY = 2;

/** The part of an answer that is scanned, if any. Definitions in it are left out, since they are scanned as such. */
export function partOfAnswer(
  message: Message,
  pending: Pick<PendingRequest, 'method' | 'scannedCall'> | undefined,
): MessagePart | undefined {
  const { result, error, inputRequests } = message;
  const about = { method: pending?.method, source: pending?.scannedCall };
  if (error !== undefined) return { origin: 'error', span: error, prefix: 'error', isBoth: mayElicit(message, error), ...about };
  if (result === undefined || isEmpty(result)) return undefined;
  const rest = { span: result, prefix: '', ...about };
  if (inputRequests !== undefined) return { origin: 'elicitation', isBoth: true, ...rest };
  const method = pending?.method;
  if (method === undefined) return undefined;
  const declaring = declaringOf(method);
  if (declaring !== undefined) return { origin: 'definition', isBoth: false, leftOut: definitionsOf(declaring), ...rest };
  return { origin: RESULTS.get(method) ?? 'result', isBoth: false, ...rest };
}

/** The definitions in the answer to a list or a greeting: the registry keeps their findings. */
function definitionsOf(declaring: ListMethod | 'greeting'): LeftOut {
  if (declaring === 'greeting') return { text: 'instructions' };
  return { list: declaring.member, name: NAME_MEMBERS[declaring.kind], longestName: MOST_NAME };
}

/** Most texts of a declaring answer, and characters of each, in which nobody could write an order: a name, a version, a revision. */
const PLAIN = { texts: 4, text: /^[\w.@/+-]{1,30}$/ } as const;

/** Tells whether the texts of a part need no scan. Most servers only name themselves, and scanning loads the detector. */
export function isPlain({ origin }: Pick<MessagePart, 'origin'>, texts: readonly TextField[]): boolean {
  return origin === 'definition' && texts.length <= PLAIN.texts && texts.every(({ text }) => PLAIN.text.test(text));
}

/**
 * Tells whether an error may ask the user to open URLs (MCP 2025-11-25, URLElicitationRequiredError). Its code may be spelt in many ways,
 * so it is not consulted.
 */
function mayElicit(message: Message, error: Span): boolean {
  const read = readSmallObject(message, error);
  if (read === undefined) return true;
  const { data } = read;
  return isJsonObject(data) && data['elicitations'] !== undefined;
}

function isEmpty({ start, end }: Span): boolean {
  return end - start <= EMPTY;
}

/** The part of a server's request or notification that is scanned, if any. */
export function partOfMessage({ kind, method = '', params, inputRequests }: Message): MessagePart | undefined {
  if (params === undefined || isEmpty(params)) return undefined;
  // An unknown method means what the client makes of it: a request may ask anything of anybody.
  const origin = REQUESTS.get(method) ?? (kind === 'request' ? 'elicitation' : 'log');
  return { origin, span: params, prefix: 'params', method, source: undefined, isBoth: inputRequests !== undefined };
}

/** The policy's action on findings in a kind of message; the stricter one if it is of two kinds. */
export function textAction(
  { enabled, onDefinition, onResult, onSampling }: Pick<Detection, 'enabled' | 'onDefinition' | 'onResult' | 'onSampling'>,
  { origin, isBoth }: Pick<MessagePart, 'origin' | 'isBoth'>,
): OnText {
  if (!enabled) return 'alert';
  // No name identifies it for a person's approval, and hiding it does no harm.
  if (origin === 'definition') return onDefinition === 'alert' ? 'alert' : 'redact';
  if (isBoth) return STRICTEST.find((action) => action === onResult || action === onSampling) ?? 'alert';
  return origin === 'sampling' || origin === 'elicitation' ? onSampling : onResult;
}

/** Tells whether the policy may hold something until it was scanned. */
export function mayHold({ enabled, onDefinition, onResult, onSampling }: Detection): boolean {
  return enabled && [onDefinition, onResult, onSampling].some((action) => action !== 'alert');
}
