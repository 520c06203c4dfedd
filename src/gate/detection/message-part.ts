import type { TextOrigin } from '../../core/detect/types.ts';
import type { Message, Span } from '../../protocol/message.ts';
import { declaringOf } from '../list-methods.ts';
import type { PendingRequest } from '../pending.ts';
import type { Source } from '../source.ts';

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

/** Methods whose answers nobody reads anything in, and a server's requests that have nothing to be read. What lists declare is looked at as that. */
const SILENT: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'roots/list',
]);

/** What of an answer is looked at, if anything. */
export function partOfAnswer(
  { result, error, inputRequests }: Message,
  pending: Pick<PendingRequest, 'method' | 'about'> | undefined,
): MessagePart | undefined {
  const about = { method: pending?.method, source: pending?.about };
  if (error !== undefined) return { origin: 'error', span: error, prefix: 'error', isBoth: false, ...about };
  if (result === undefined) return undefined;
  const rest = { span: result, prefix: '', ...about };
  if (inputRequests !== undefined) return { origin: 'elicitation', isBoth: true, ...rest };
  const method = pending?.method;
  const isRead = method !== undefined && !SILENT.has(method) && declaringOf(method) === undefined;
  return isRead ? { origin: RESULTS.get(method) ?? 'result', isBoth: false, ...rest } : undefined;
}

/** The same of a request or a notification of the server's. */
export function partOfMessage({ kind, method = '', params }: Message): MessagePart | undefined {
  if (params === undefined || SILENT.has(method)) return undefined;
  // What a method does that nobody knows is for the client to say: a request may ask anything of anybody.
  const origin = REQUESTS.get(method) ?? (kind === 'request' ? 'elicitation' : 'log');
  return { origin, span: params, prefix: 'params', method, source: undefined, isBoth: false };
}
