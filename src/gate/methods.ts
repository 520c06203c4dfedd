import { type Call, SUBJECT_METHODS } from '../core/call.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { foldKey } from '../protocol/json-key.ts';
import { CLIENT_METHODS } from '../protocol/mcp/methods.ts';

/** A reviewed message as the policy sees it, or what is wrong with it. */
export type CallResult = { readonly call: Call } | { readonly problem: string };

/** How a method's `params` become a call. */
export interface ReviewedMethod {
  readonly method: string;
  /** `tool`: a denial is a result that the model reads. `error`: the method has no such result, so a denial is an error. */
  readonly denial: 'tool' | 'error';
  readonly toCall: (server: string, params: JsonObject) => CallResult;
}

const TOOLS_CALL: ReviewedMethod = {
  method: SUBJECT_METHODS.tool,
  denial: 'tool',
  toCall: (server, params) => {
    const tool = params['name'];
    if (typeof tool !== 'string') return { problem: 'params.name is not a string' };
    const args = readArguments(params['arguments']);
    if (args === 'malformed') return { problem: 'params.arguments is not an object' };
    return { call: { method: SUBJECT_METHODS.tool, server, tool, args } };
  },
};

const RESOURCES_READ: ReviewedMethod = {
  method: SUBJECT_METHODS.resource,
  denial: 'error',
  toCall: (server, params) => {
    const resource = params['uri'];
    if (typeof resource !== 'string') return { problem: 'params.uri is not a string' };
    return { call: { method: SUBJECT_METHODS.resource, server, resource } };
  },
};

const PROMPTS_GET: ReviewedMethod = {
  method: SUBJECT_METHODS.prompt,
  denial: 'error',
  toCall: (server, params) => {
    const prompt = params['name'];
    if (typeof prompt !== 'string') return { problem: 'params.name is not a string' };
    const args = readArguments(params['arguments']);
    if (args === 'malformed') return { problem: 'params.arguments is not an object' };
    return { call: { method: SUBJECT_METHODS.prompt, server, prompt, args } };
  },
};

/** The methods whose messages are always decided. */
export const REVIEWED_METHODS: ReadonlyMap<string, ReviewedMethod> = new Map(
  [TOOLS_CALL, RESOURCES_READ, PROMPTS_GET].map((entry) => [entry.method, entry]),
);

/** Any other message of a client: it is decided by its method alone. */
export function toMethodCall(server: string, method: string): Call {
  return CLIENT_METHODS.has(method) ? { method, server } : { method, server, isUnknownMethod: true };
}

function readArguments(value: JsonValue | undefined): JsonObject | undefined | 'malformed' {
  // Servers take null for "no arguments".
  if (value === undefined || value === null) return undefined;
  return isJsonObject(value) ? value : 'malformed';
}

/**
 * The reviewed method that a lenient server may take this one for: compared without letter case, surrounding white space and
 * what follows a NUL. Undefined for those methods themselves and for all others.
 */
export function reviewedVariant(method: string): string | undefined {
  if (REVIEWED_METHODS.has(method)) return undefined;
  const folded = foldKey(method.trim()).trim();
  return REVIEWED_METHODS.has(folded) ? folded : undefined;
}
