import { type Call, SUBJECT_METHODS } from '../../core/call.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { expandTemplate } from '../../core/registry/uri-template.ts';
import { foldKey } from '../../protocol/json-key.ts';
import { INVALID_PARAMS } from '../../protocol/jsonrpc.ts';
import { CLIENT_METHODS } from '../../protocol/mcp/methods.ts';
import type { Message } from '../../protocol/message.ts';
import { nameProblem } from '../../core/registry/deceptive-names.ts';
import { readObject } from './message-parts.ts';

/** The calls that a message makes, all of which must be allowed; or the reason why it is refused. */
export type CallResult =
  | { readonly calls: readonly Call[] }
  /** `code`: the JSON-RPC error code, if not that of an invalid request. */
  | { readonly problem: string; readonly code?: number };

/** A method whose messages are decided, and how its `params` become calls. */
export interface ReviewedMethod {
  readonly method: string;
  /** `tool`: a denial is a result that the model reads. `error`: the method has no such result, so a denial is an error. */
  readonly denial: 'tool' | 'error';
  readonly toCalls: (server: string, params: JsonObject) => CallResult;
}

const TOOLS_CALL: ReviewedMethod = {
  method: SUBJECT_METHODS.tool,
  denial: 'tool',
  toCalls: (server, params) => {
    const tool = params['name'];
    if (typeof tool !== 'string') return { problem: 'params.name is not a string' };
    const args = readArguments(params['arguments']);
    if (args === 'malformed') return { problem: 'params.arguments is not an object' };
    return { calls: [{ method: SUBJECT_METHODS.tool, server, tool, args }] };
  },
};

const RESOURCES_READ: ReviewedMethod = {
  method: SUBJECT_METHODS.resource,
  denial: 'error',
  toCalls: (server, params) => {
    const resource = params['uri'];
    if (typeof resource !== 'string') return { problem: 'params.uri is not a string' };
    return { calls: [readCall(server, resource)] };
  },
};

const PROMPTS_GET: ReviewedMethod = {
  method: SUBJECT_METHODS.prompt,
  denial: 'error',
  toCalls: (server, params) => {
    const prompt = params['name'];
    if (typeof prompt !== 'string') return { problem: 'params.name is not a string' };
    const args = readArguments(params['arguments']);
    if (args === 'malformed') return { problem: 'params.arguments is not an object' };
    return { calls: [{ method: SUBJECT_METHODS.prompt, server, prompt, args }] };
  },
};

/** A method about one resource: its messages send and return as much as reading the resource does. */
function aboutResource(method: string): ReviewedMethod {
  return {
    method,
    denial: 'error',
    toCalls: (server, params) => {
      const resource = params['uri'];
      // Without a URI there is nothing to protect: the server itself replies that it needs one, or has no such method.
      if (resource === undefined) return { calls: [{ method, server }] };
      if (typeof resource !== 'string') return { problem: 'params.uri is not a string' };
      return { calls: [{ method, server, resource, like: readCall(server, resource) }] };
    },
  };
}

const LISTEN: ReviewedMethod = {
  method: 'subscriptions/listen',
  denial: 'error',
  toCalls: (server, params) => {
    const filter = params['notifications'];
    const resources = isJsonObject(filter) ? filter['resourceSubscriptions'] : undefined;
    if (resources === undefined) return { calls: [] };
    if (!Array.isArray(resources)) return { problem: 'params.notifications.resourceSubscriptions is not an array' };
    const calls: Call[] = [];
    for (const resource of resources as readonly JsonValue[]) {
      if (typeof resource !== 'string')
        return { problem: 'params.notifications.resourceSubscriptions has an item that is not a string' };
      calls.push({ method: 'subscriptions/listen', server, resource, like: readCall(server, resource) });
    }
    return { calls };
  },
};

/** Completion sends the user's unfinished input to the server, so it is decided like the prompt or the resource that it names. */
const COMPLETE: ReviewedMethod = {
  method: 'completion/complete',
  denial: 'error',
  toCalls: (server, params) => {
    const { ref, argument, context } = params;
    if (!isJsonObject(ref)) return { problem: 'params.ref is not an object' };
    const known = isJsonObject(context) && isJsonObject(context['arguments']) ? context['arguments'] : {};
    const name = isJsonObject(argument) ? argument['name'] : undefined;
    if (!isJsonObject(argument) || typeof name !== 'string') return { problem: 'params.argument.name is not a string' };
    // It becomes a key of the arguments.
    if (!name.isWellFormed()) return { problem: 'half of a surrogate pair in params.argument.name' };
    const args: JsonObject = Object.fromEntries([...Object.entries(known), [name, argument['value'] ?? null]]);
    const method = 'completion/complete';
    const { type, name: prompt, uri: resource } = ref;
    if (type === 'ref/prompt' && typeof prompt === 'string') {
      return { calls: [{ method, server, prompt, args, like: { method: SUBJECT_METHODS.prompt, server, prompt, args } }] };
    }
    if (type === 'ref/resource' && typeof resource === 'string') {
      const call = completeResource(server, resource, args);
      return call === undefined ? { problem: 'params.ref.uri is longer than anybody reads' } : { calls: [call] };
    }
    return { problem: 'params.ref is neither a prompt nor a resource' };
  },
};

/**
 * Makes the call that completes a variable of a URI template. Rules apply as to reading the URI with its known variables filled in, and as to
 * reading the template itself, since a rule may name either.
 *
 * @returns undefined if the URI is too long
 */
export function completeResource(server: string, template: string, args: JsonObject): Call | undefined {
  const resource = expandTemplate(template, args);
  if (resource === undefined) return undefined;
  const like = readCall(server, template);
  const read = resource === template ? like : { ...readCall(server, resource), like };
  return { method: COMPLETE.method, server, resource: template, args, like: read };
}

/** Members of `params` that become part of calls, by method. */
const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [SUBJECT_METHODS.tool, new Set(['name', 'arguments'])],
  [SUBJECT_METHODS.prompt, new Set(['name', 'arguments'])],
  [COMPLETE.method, new Set(['ref', 'argument', 'context'])],
]);
const ONLY_URI: ReadonlySet<string> = new Set(['uri']);
/** The same for methods that MCP does not have. */
const KNOWN_OF_OTHERS: ReadonlySet<string> = new Set(['uri', 'name', 'arguments']);

/** The methods whose messages are always decided. */
export const REVIEWED_METHODS: ReadonlyMap<string, ReviewedMethod> = new Map(
  [
    TOOLS_CALL,
    RESOURCES_READ,
    PROMPTS_GET,
    aboutResource('resources/subscribe'),
    aboutResource('resources/directory/read'),
    aboutResource('skills/get'),
    LISTEN,
    COMPLETE,
  ].map((entry) => [entry.method, withExtra(withNameCheck(entry))]),
);

/** `reviewUnknown` for an unparsed message. */
export function reviewUnknownMessage(message: Message): ReviewedMethod | undefined {
  const { kind, method = '', params } = message;
  const read = kind !== 'request' || params === undefined ? undefined : readObject(message, params);
  return read === undefined ? undefined : reviewUnknown(method, read);
}

/**
 * Finds how to review a request of a method that is in no revision of MCP. Lenient servers have other names for reading and calling
 * (`resources/get`, `tools/run`). So a request that names a resource, or a tool with arguments, makes that call as well as its own. Undefined
 * for all others.
 */
export function reviewUnknown(method: string, params: JsonObject): ReviewedMethod | undefined {
  const given = new Map(Object.entries(params).map(([key, value]) => [foldKey(key), value]));
  const alike: ReviewedMethod[] = [];
  if (typeof given.get('uri') === 'string') alike.push(RESOURCES_READ);
  if (typeof given.get('name') === 'string' && isJsonObject(given.get('arguments'))) alike.push(TOOLS_CALL);
  if (alike.length === 0) return undefined;
  const toCalls: ReviewedMethod['toCalls'] = (server, read) => {
    const calls: Call[] = [];
    for (const each of alike) {
      const result = each.toCalls(server, read);
      if ('problem' in result) return result;
      calls.push(...result.calls);
    }
    return { calls: [...calls, toMethodCall(server, method)] };
  };
  return withExtra(withNameCheck({ method, denial: 'error', toCalls }));
}

/**
 * Refuses names with half of a surrogate pair, and names of tools and prompts that may be taken for others. Most languages read U+FFFD for
 * such a half, so the server would look up another name than the one that was decided. Values may have it: honest clients cut texts anywhere.
 */
function withNameCheck(reviewed: ReviewedMethod): ReviewedMethod {
  return {
    ...reviewed,
    toCalls: (server, params) => {
      const result = reviewed.toCalls(server, params);
      if ('problem' in result) return result;
      for (const { tool, resource, prompt } of result.calls) {
        const name = tool ?? resource ?? prompt;
        if (name?.isWellFormed() === false) return { problem: 'half of a surrogate pair in what it names' };
        const problem = nameProblem(tool ?? prompt ?? '');
        if (problem !== undefined) return { problem, code: INVALID_PARAMS };
      }
      return result;
    },
  };
}

/** Adds the message's other parameters to its calls, so that a person who is asked sees them. */
function withExtra(reviewed: ReviewedMethod): ReviewedMethod {
  const known = KNOWN.get(reviewed.method) ?? (CLIENT_METHODS.has(reviewed.method) ? ONLY_URI : KNOWN_OF_OTHERS);
  return {
    ...reviewed,
    toCalls: (server, params) => {
      const result = reviewed.toCalls(server, params);
      if ('problem' in result) return result;
      const others = Object.entries(params).filter(([key]) => !known.has(key));
      if (others.length === 0) return result;
      const extra: JsonObject = Object.fromEntries(others);
      return { calls: result.calls.map((call) => ({ ...call, extra })) };
    },
  };
}

/** Methods whose answers may ask the client for input (MCP 2026-07-28; the tasks extension carries it in `tasks/get`). */
export const MAY_ASK_FOR_INPUT: ReadonlySet<string> = new Set([...Object.values(SUBJECT_METHODS), 'tasks/get', 'tasks/result']);

function readCall(server: string, resource: string): Call {
  return { method: SUBJECT_METHODS.resource, server, resource };
}

/** Any other client message, which is decided by its method alone. */
export function toMethodCall(server: string, method: string): Call {
  return CLIENT_METHODS.has(method) ? { method, server } : { method, server, isUnknownMethod: true };
}

function readArguments(value: JsonValue | undefined): JsonObject | undefined | 'malformed' {
  // Servers take null for "no arguments".
  if (value === undefined || value === null) return undefined;
  return isJsonObject(value) ? value : 'malformed';
}

/**
 * The reviewed method that a lenient server may take this one for: compared without letter case, surrounding white space and everything
 * after a NUL. Undefined for those methods themselves and for all others.
 */
export function reviewedVariant(method: string): string | undefined {
  if (REVIEWED_METHODS.has(method)) return undefined;
  const folded = foldKey(method.trim()).trim();
  return REVIEWED_METHODS.has(folded) ? folded : undefined;
}
