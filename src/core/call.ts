import { isJsonObject, type JsonObject } from './json.ts';

/**
 * Members of `_meta` by which clients and their tracing find a call again: another one each time, and no part of what is asked for. It is
 * the client program that writes them, not the model.
 */
const EACH_TIME: ReadonlySet<string> = new Set([
  'progressToken',
  'traceparent',
  'tracestate',
  'claudecode/toolUseId',
  'callId',
  'x-codex-turn-metadata',
  'vscode.conversationId',
  'vscode.requestId',
]);

/**
 * What a tool does. `read`: gives data. `write`: changes something. `send`: data leaves for somewhere or someone. `compute`: works
 * something out, or runs code. `execute`: runs commands or code that it is given. `destroy`: takes away or overwrites what can't be got back
 * simply, such as a repository, a table, or what others have pushed. `unknown`: nothing tells.
 */
export const CATEGORIES = ['read', 'write', 'send', 'compute', 'execute', 'destroy', 'unknown'] as const;
export type Category = (typeof CATEGORIES)[number];

/** The method that each subject of a rule is about, where the rule names none. */
export const SUBJECT_METHODS = { tool: 'tools/call', resource: 'resources/read', prompt: 'prompts/get' } as const;

/** Methods whose calls amount to reading a resource or getting a prompt: they show what is in it, that it is there, or that it changes. */
export const LIKE_METHODS = {
  resource: ['resources/subscribe', 'resources/directory/read', 'skills/get', 'subscriptions/listen', 'completion/complete'],
  prompt: ['completion/complete'],
} as const;

/** What a client asks a server to do, and what brings back as much: what the rules on flow look at, and rate limits count. */
export const CLIENT_CALLS: ReadonlySet<string> = new Set([
  ...Object.values(SUBJECT_METHODS),
  'resources/directory/read',
  'skills/get',
]);

/** What the policy calls the agent's own tools. No server may be called that. */
export const NATIVE_SERVER = 'native';

/** Methods whose messages are calls: where no rule is about one, the policy's default action decides. All others pass then. */
export const CALL_METHODS: ReadonlySet<string> = new Set([
  ...Object.values(SUBJECT_METHODS),
  'sampling/createMessage',
  'elicitation/create',
]);

/**
 * Anything that is reviewed. Exactly one of `tool`, `resource` and `prompt` is set for `tools/call`,
 * `resources/read` and `prompts/get`; other methods may carry none.
 */
export interface Call {
  /** JSON-RPC method, e.g. `tools/call`. */
  readonly method: string;
  /** The name the server is known by in the policy. */
  readonly server: string;
  readonly tool?: string;
  /**
   * Where a model's tool call goes to no server that is known. `native`: to one of the agent's own tools, and `server` is `NATIVE_SERVER`.
   * `unmapped`: its name looks like that of an MCP tool, and `server` is what the name says.
   */
  readonly origin?: 'native' | 'unmapped';
  /**
   * It is known to touch no file and run no command on this machine, so that what protects clawai itself is not asked: the model's provider runs
   * it, or it is a tool of the agent's own that only shows something, or notes it for the agent.
   */
  readonly isInert?: true;
  /** URI of a resource. */
  readonly resource?: string;
  readonly prompt?: string;
  /**
   * What it amounts to, where its method is not a subject's own: completing an argument of a prompt is like getting the prompt,
   * subscribing to a resource like reading it. A rule that denies that or asks about it decides unless one above is about the call itself, and
   * any other where none is.
   */
  readonly like?: Call;
  /** No revision of MCP that we know has this method. */
  readonly isUnknownMethod?: boolean;
  /** The call's arguments; undefined where none were sent. */
  readonly args?: JsonObject | undefined;
  /** What else its parameters say, as `_meta` and `task` do. No rule is about it; a person who is asked sees it. */
  readonly extra?: JsonObject;
}

/** What a rule's `args` is about. A resource's URI is the argument that it is sent as. */
export function argsOf({ args, resource }: Call): JsonObject | undefined {
  return args ?? (resource === undefined ? undefined : { uri: resource });
}

/** What of a call's other parameters a yes is to; undefined where there is nothing. */
export function boundExtra(extra: JsonObject | undefined): JsonObject | undefined {
  return withoutMeta(extra, EACH_TIME);
}

/** The same without these members of `_meta`; undefined where nothing is left. */
export function withoutMeta(extra: JsonObject | undefined, names: ReadonlySet<string>): JsonObject | undefined {
  if (extra === undefined) return undefined;
  const meta = extra['_meta'];
  if (!isJsonObject(meta)) return extra;
  const { _meta: _, ...others } = extra;
  const left = Object.entries(meta).filter(([name]) => !names.has(name));
  const rest: JsonObject = left.length === 0 ? others : { ...others, _meta: Object.fromEntries(left) };
  return Object.keys(rest).length === 0 ? undefined : rest;
}
