import { type Call, NATIVE_SERVER, SUBJECT_METHODS } from '../core/call.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { REVIEWED_METHODS, reviewUnknown, toMethodCall } from '../gate/methods.ts';
import { toServerCall } from '../gate/server-methods.ts';
import { CLIENT_METHODS } from '../protocol/mcp/methods.ts';
import { isRequestOfServer } from './fixture-detection.ts';
import { checkKeys, describe, type Origin } from './fixture-value.ts';

/**
 * Keys that MCP defines in `params`, for the methods that fixtures are about (2024-11-05 to 2026-07-28). A server is sent anything else as well, but
 * in a fixture that is a slip, and the call is another one than was meant. What servers ask for themselves is open: its params are arguments.
 */
const WITH_INPUT = ['_meta', 'inputResponses', 'requestState'];
const PARAMS: Readonly<Record<string, readonly string[]>> = {
  'tools/call': ['name', 'arguments', 'task', ...WITH_INPUT],
  'prompts/get': ['name', 'arguments', ...WITH_INPUT],
  'resources/read': ['uri', ...WITH_INPUT],
  'resources/subscribe': ['uri', '_meta'],
  'resources/unsubscribe': ['uri', '_meta'],
  'completion/complete': ['ref', 'argument', 'context', '_meta'],
};

/** The call that the gate would decide for this message; its own code says so. One of an agent's own tools where `server` is "native". */
export function readCall(value: JsonObject, server: string, origin: Origin): Call {
  const { pointer, fail } = origin;
  const method = readText(value, 'method', origin) ?? fail(pointer, '"method" is missing', 'for example "method": "tools/call"');
  if (server === NATIVE_SERVER && method !== SUBJECT_METHODS.tool) {
    fail(`${pointer}/method`, `"${NATIVE_SERVER}" is for the agent's own tools, which are only called`, '"method": "tools/call"');
  }
  const params = value['params'];
  if (params !== undefined && !isJsonObject(params)) fail(`${pointer}/params`, `expected an object, found ${describe(params)}`);
  const known = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  if (known !== undefined && isJsonObject(params)) {
    checkKeys(params, { known, what: `"params" of ${method}` }, { pointer: `${pointer}/params`, fail });
  }
  const isUnknown = !CLIENT_METHODS.has(method) && isJsonObject(params);
  const reviewed = isUnknown ? reviewUnknown(method, params) : REVIEWED_METHODS.get(method);
  if (isRequestOfServer({ method })) return toServerCall(server, method, params);
  if (reviewed === undefined) return toMethodCall(server, method);
  if (!isJsonObject(params)) return fail(pointer, `"params" is missing; ${method} has some`);
  const result = reviewed.toCalls(server, params);
  if ('problem' in result) return fail(`${pointer}/params`, result.problem);
  const [call, ...others] = result.calls;
  if (others.length > 0) return fail(`${pointer}/params`, 'this makes several calls', 'write a fixture for each');
  if (call === undefined) return toMethodCall(server, method);
  return server === NATIVE_SERVER ? { ...call, origin: 'native' } : call;
}

/** A string that is not empty, or undefined where the key is absent. */
export function readText(value: JsonObject, key: string, { pointer, fail }: Origin): string | undefined {
  const text = value[key];
  if (text === undefined) return undefined;
  if (typeof text !== 'string') return fail(`${pointer}/${key}`, `expected a string, found ${describe(text)}`);
  return text === '' ? fail(`${pointer}/${key}`, 'expected a string that is not empty') : text;
}
