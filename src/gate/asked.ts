import { isJsonObject, type JsonValue } from '../core/json.ts';
import { URL_ELICITATION_REQUIRED } from '../protocol/jsonrpc.ts';
import type { Message } from '../protocol/message.ts';
import type { Connection } from './connection.ts';
import { isText } from './message-parts.ts';
import { isInputRequest } from './server-methods.ts';

/** A request that comes inside another message, or by itself. */
export interface Asked {
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** Nobody waits for an answer to it. */
  readonly isNotification?: boolean;
}

/** The requests in a message's `inputRequests`; undefined where one can't be read, or not by everybody in the same way. */
export function readInputRequests(connection: Connection, message: Message): readonly Asked[] | undefined {
  const requests = connection.readInputRequests(message);
  if (typeof requests === 'string' || !isText(message)) return undefined;
  const asked: Asked[] = [];
  for (const request of Object.values(requests)) {
    if (!isJsonObject(request) || !isInputRequest(request)) return undefined;
    asked.push({ method: request.method, params: request['params'] });
  }
  return asked;
}

/** The elicitations in an error that wants the user to open URLs: none where it is another error, undefined as above. */
export function readUrlRequests(connection: Connection, message: Message): readonly Asked[] | undefined {
  const error = connection.readError(message);
  if (typeof error === 'string') return undefined;
  const { code, data } = error;
  // Only a plain number is the same to everybody: some take -32042.0, -3.2042e4 and "-32042" for that code too.
  if (typeof code === 'number' && code !== URL_ELICITATION_REQUIRED) return [];
  if (!isText(message)) return undefined;
  const elicitations = isJsonObject(data) ? data['elicitations'] : undefined;
  if (elicitations === undefined) return [];
  if (!Array.isArray(elicitations)) return undefined;
  return (elicitations as readonly JsonValue[]).map((params) => ({ method: 'elicitation/create', params }));
}
