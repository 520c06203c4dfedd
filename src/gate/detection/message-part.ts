import type { TextOrigin } from '../../core/detect/types.ts';
import type { Message, Span } from '../../protocol/message.ts';
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
}

/** What answers have in them that reaches a model, by the method that they answer. */
const RESULTS: ReadonlyMap<string, TextOrigin> = new Map([
  ['tools/call', 'result'],
  ['tasks/get', 'result'],
  ['tasks/result', 'result'],
  ['resources/read', 'resource'],
  ['resources/directory/read', 'resource'],
  ['prompts/get', 'prompt'],
]);

const REQUESTS: ReadonlyMap<string, TextOrigin> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
]);

const NOTIFICATIONS: ReadonlySet<string> = new Set(['notifications/message', 'notifications/progress']);

/** What of an answer is looked at, if anything. */
export function partOfAnswer(
  { result, error, inputRequests }: Message,
  pending: Pick<PendingRequest, 'method' | 'about'> | undefined,
): MessagePart | undefined {
  const about = { method: pending?.method, source: pending?.about };
  if (error !== undefined) return { origin: 'error', span: error, prefix: 'error', ...about };
  const origin = inputRequests === undefined ? RESULTS.get(pending?.method ?? '') : 'elicitation';
  return origin === undefined || result === undefined ? undefined : { origin, span: result, prefix: '', ...about };
}

/** The same of a request or a notification of the server's. */
export function partOfMessage({ kind, method = '', params }: Message): MessagePart | undefined {
  const origin = kind === 'request' ? REQUESTS.get(method) : NOTIFICATIONS.has(method) ? 'log' : REQUESTS.get(method);
  return origin === undefined || params === undefined
    ? undefined
    : { origin, span: params, prefix: 'params', method, source: undefined };
}
