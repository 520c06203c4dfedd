import { type Call, CALL_METHODS } from '../../core/call.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { foldKey } from '../../protocol/json-key.ts';
import { METHOD_NOT_FOUND, URL_ELICITATION_REQUIRED } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import type { Connection } from '../connection.ts';
import { isText } from './message-parts.ts';
import { DENIED, errorLine } from '../calls/reply.ts';

/** JSON-RPC error of a refused sampling request: the code of the MCP specification's own example. */
export const USER_REJECTED = -1;

const FOLDED_METHODS: ReadonlyMap<string, string> = new Map([...CALL_METHODS].map((method) => [foldKey(method), method]));

/** A request inside another message, or by itself. */
export interface Asked {
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** True if nobody waits for an answer to it. */
  readonly isNotification?: boolean;
}

/** The requests in a message's `inputRequests`; undefined if one can't be read, or readers may differ. */
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

/** The elicitations in an error that wants the user to open URLs: none in other errors, undefined if readers may differ. */
export function readUrlRequests(connection: Connection, message: Message): readonly Asked[] | undefined {
  const error = connection.readError(message);
  if (typeof error === 'string') return undefined;
  const { code, data } = error;
  // Only a plain number means the same to everybody: some read -32042.0, -3.2042e4 and "-32042" as that code too.
  if (typeof code === 'number' && code !== URL_ELICITATION_REQUIRED) return [];
  if (!isText(message)) return undefined;
  const elicitations = isJsonObject(data) ? data['elicitations'] : undefined;
  if (elicitations === undefined) return [];
  if (!Array.isArray(elicitations)) return undefined;
  return (elicitations as readonly JsonValue[]).map((params) => ({ method: 'elicitation/create', params }));
}

/** Answer to a refused request of a server, as servers of that method expect it; `id` is JSON text. */
export function refuseServerRequest(method: string, id: string, why: string): string {
  // A user who does not want to answer declines.
  if (method === 'elicitation/create') return `{"jsonrpc":"2.0","id":${id},"result":{"action":"decline"}}\n`;
  if (method === 'sampling/createMessage') return errorLine(id, USER_REJECTED, why);
  return errorLine(id, method === 'roots/list' ? METHOD_NOT_FOUND : DENIED, why);
}

/** A server's request as the policy sees it: its params are the arguments, so that rules can match them. */
export function toServerCall(server: string, method: string, params: JsonValue | undefined): Call {
  return { method, server, args: isJsonObject(params) ? params : undefined };
}

/** The call that a lenient client may take this server method for; undefined for calls themselves and all others. */
export function reviewedServerVariant(method: string): string | undefined {
  return CALL_METHODS.has(method) ? undefined : FOLDED_METHODS.get(foldKey(method.trim()).trim());
}

/** Tells whether every client reads the same request in this entry of `inputRequests`, despite letter case and NULs. */
function isInputRequest(entry: JsonObject): entry is JsonObject & { readonly method: string } {
  const method = entry['method'];
  if (typeof method !== 'string' || reviewedServerVariant(method) !== undefined) return false;
  return Object.keys(entry).every((key) => key === 'method' || key === 'params' || !['method', 'params'].includes(foldKey(key)));
}
