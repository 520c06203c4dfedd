import { type Call, CALL_METHODS } from '../core/call.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { foldKey } from '../protocol/json-key.ts';
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

const FOLDED_METHODS: ReadonlyMap<string, string> = new Map([...CALL_METHODS].map((method) => [foldKey(method), method]));

/** The call that a lenient client may take a server's request with this method for; undefined for calls themselves and all others. */
export function reviewedServerVariant(method: string): string | undefined {
  return CALL_METHODS.has(method) ? undefined : FOLDED_METHODS.get(foldKey(method.trim()).trim());
}

/** Can every client read only one request in this entry of `inputRequests`? Letter case and NULs must not make it another. */
export function isInputRequest(entry: JsonObject): entry is JsonObject & { readonly method: string } {
  const method = entry['method'];
  if (typeof method !== 'string' || reviewedServerVariant(method) !== undefined) return false;
  return Object.keys(entry).every((key) => key === 'method' || key === 'params' || !['method', 'params'].includes(foldKey(key)));
}
