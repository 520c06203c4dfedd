import type { Call } from '../core/call.ts';
import { isJsonObject, type JsonValue } from '../core/json.ts';
import { METHOD_NOT_FOUND } from '../protocol/jsonrpc.ts';
import { DENIED, errorLine } from './reply.ts';

/** JSON-RPC error of a refused sampling request: the code that the MCP specification's own example has. */
const USER_REJECTED = -1;

/** Answer to a refused request of a server, as servers of that method expect it; `id` is JSON text. */
export function refuseServerRequest(method: string, id: string, why: string): string {
  // A decline is what a user does who does not want to answer.
  if (method === 'elicitation/create') return `{"jsonrpc":"2.0","id":${id},"result":{"action":"decline"}}\n`;
  if (method === 'sampling/createMessage') return errorLine(id, USER_REJECTED, why);
  return errorLine(id, method === 'roots/list' ? METHOD_NOT_FOUND : DENIED, why);
}

/** A server's request as the policy sees it: its params are the arguments, so that rules can look into them. */
export function toServerCall(server: string, method: string, params: JsonValue | undefined): Call {
  return { method, server, args: isJsonObject(params) ? params : undefined };
}
