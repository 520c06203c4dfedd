import type { TextField, TextOrigin } from '../../core/detect/types.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Detection, OnText } from '../../core/policy/parse-detection.ts';
import { NAME_MEMBERS } from '../../core/registry/fingerprint.ts';
import { MOST_NAME } from '../../core/registry/read-listing.ts';
import type { Message, Span } from '../../protocol/message.ts';
import { declaringOf, type ListMethod } from '../messages/list-methods.ts';
import { readSmallObject } from '../messages/message-parts.ts';
import type { PendingRequest } from '../messages/pending.ts';
import type { Source } from '../recorder.ts';
import type { LeftOut } from './spanned-texts.ts';

const STRICTEST: readonly OnText[] = ['deny', 'redact', 'alert'];

/** The part of a message that has texts in it, and what they are. */
export interface MessagePart {
  readonly origin: TextOrigin;
  readonly span: Span;
  /** What its fields begin with; empty in a result. */
  readonly prefix: string;
  /** Of the message, or of the request that it answers. */
  readonly method: string | undefined;
  /** The call that it answers. */
  readonly source: Source | undefined;
  /** It asks for something and is an answer besides: clients that know nothing of such questions read it as that. */
  readonly isBoth: boolean;
  /** What of it is looked at otherwise. */
  readonly leftOut?: LeftOut | undefined;
}

/** What the answers to some methods are; all others are results. */
const RESULTS: ReadonlyMap<string, TextOrigin> = new Map([
  ['resources/read', 'resource'],
  ['resources/directory/read', 'resource'],
  ['prompts/get', 'prompt'],
]);

const REQUESTS: ReadonlyMap<string, TextOrigin> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
]);

/** Bytes of an object that has nothing in it, as the answers to pings are: there may be thousands. */
const EMPTY = 2;

/** What of an answer is looked at, if anything. What is declared in it is looked at as that. */
export function partOfAnswer(
  message: Message,
  pending: Pick<PendingRequest, 'method' | 'about'> | undefined,
): MessagePart | undefined {
  const { result, error, inputRequests } = message;
  const about = { method: pending?.method, source: pending?.about };
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

/** Of the answer to a list or a greeting, what the registry knows, and keeps what was found in it. */
function definitionsOf(declaring: ListMethod | 'greeting'): LeftOut {
  if (declaring === 'greeting') return { text: 'instructions' };
  return { list: declaring.member, name: NAME_MEMBERS[declaring.kind], longestName: MOST_NAME };
}

/** Texts of an answer that declares something, and characters of each, that nobody could write an order in: a name, a version, a revision. */
const PLAIN = { texts: 4, text: /^[\w.@/+-]{1,30}$/ } as const;

/** Is there nothing to be looked at in the texts of a part? Most servers only say who they are, and looking takes what is loaded for it. */
export function isPlain({ origin }: Pick<MessagePart, 'origin'>, texts: readonly TextField[]): boolean {
  return origin === 'definition' && texts.length <= PLAIN.texts && texts.every(({ text }) => PLAIN.text.test(text));
}

/** May an error ask the user to open URLs (MCP 2025-11-25, URLElicitationRequiredError)? Its code may be spelt in many ways. */
function mayElicit(message: Message, error: Span): boolean {
  const read = readSmallObject(message, error);
  if (read === undefined) return true;
  const { data } = read;
  return isJsonObject(data) && data['elicitations'] !== undefined;
}

function isEmpty({ start, end }: Span): boolean {
  return end - start <= EMPTY;
}

/** The same of a request or a notification of the server's. */
export function partOfMessage({ kind, method = '', params, inputRequests }: Message): MessagePart | undefined {
  if (params === undefined || isEmpty(params)) return undefined;
  // What a method does that nobody knows is for the client to say: a request may ask anything of anybody.
  const origin = REQUESTS.get(method) ?? (kind === 'request' ? 'elicitation' : 'log');
  return { origin, span: params, prefix: 'params', method, source: undefined, isBoth: inputRequests !== undefined };
}

/** What a policy has become of messages of a kind in which something is found; of what is of two kinds, what is stricter. */
export function textAction(
  { enabled, onDefinition, onResult, onSampling }: Pick<Detection, 'enabled' | 'onDefinition' | 'onResult' | 'onSampling'>,
  { origin, isBoth }: Pick<MessagePart, 'origin' | 'isBoth'>,
): OnText {
  if (!enabled) return 'alert';
  // There is no name by which a person could approve it: what is not shown does no harm.
  if (origin === 'definition') return onDefinition === 'alert' ? 'alert' : 'redact';
  if (isBoth) return STRICTEST.find((action) => action === onResult || action === onSampling) ?? 'alert';
  return origin === 'sampling' || origin === 'elicitation' ? onSampling : onResult;
}
