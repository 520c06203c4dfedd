import { isJsonObject, type JsonObject } from './json.ts';

/**
 * Members of `_meta` by which clients and their tracing find a call again: they change each time and are no part of the request. The client
 * program writes them, not the model.
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
 * The effects of a tool. `read`: gives data. `write`: changes something. `send`: data leaves for somewhere or someone. `compute`: works
 * something out, or runs code. `execute`: runs commands or code that it is given. `destroy`: removes or overwrites something that is hard
 * to get back, such as a repository, a table, or commits that others have pushed. `unknown`: nothing tells.
 */
export const CATEGORIES = ['read', 'write', 'send', 'compute', 'execute', 'destroy', 'unknown'] as const;
export type Category = (typeof CATEGORIES)[number];

/** The method that each subject of a rule is about, if the rule names none. */
export const SUBJECT_METHODS = { tool: 'tools/call', resource: 'resources/read', prompt: 'prompts/get' } as const;

/** Methods that amount to reading a resource or getting a prompt: they show its content, its existence, or its changes. */
export const LIKE_METHODS = {
  resource: ['resources/subscribe', 'resources/directory/read', 'skills/get', 'subscriptions/listen', 'completion/complete'],
  prompt: ['completion/complete'],
} as const;

/** Requests of a client that return a server's data: flow rules look at them, and rate limits count them. */
export const CLIENT_CALLS: ReadonlySet<string> = new Set([
  ...Object.values(SUBJECT_METHODS),
  'resources/directory/read',
  'skills/get',
]);

/** The policy's name for the agent's own tools. No server may have it. */
export const NATIVE_SERVER = 'native';

/** Methods whose messages are calls: without a matching rule, the policy's default action decides. All other methods pass then. */
export const CALL_METHODS: ReadonlySet<string> = new Set([
  ...Object.values(SUBJECT_METHODS),
  'sampling/createMessage',
  'elicitation/create',
]);

/**
 * A reviewed message. Exactly one of `tool`, `resource` and `prompt` is set for `tools/call`, `resources/read` and `prompts/get`; other
 * methods may carry none.
 */
export interface Call {
  /** JSON-RPC method, e.g. `tools/call`. */
  readonly method: string;
  /** The name of the server in the policy. */
  readonly server: string;
  readonly tool?: string;
  /**
   * Set if a model's tool call goes to no known server. `native`: to one of the agent's own tools, and `server` is `NATIVE_SERVER`.
   * `unmapped`: its name looks like that of an MCP tool, and `server` comes from the name.
   */
  readonly origin?: 'native' | 'unmapped';
  /**
   * Set if it is known to touch no file and run no command on this machine, so that the protection of clawai itself is skipped: the model's
   * provider runs it, or it is a tool of the agent's own that only shows something, or notes it for the agent.
   */
  readonly isInert?: true;
  /** Set if its arguments can't be changed on their way: they are not in one place, or repeated elsewhere. */
  readonly isUneditable?: true;
  /** Set if it is what the client answers to its server, as `args`. It leaves like arguments, so the guard `dlp` decides, and nothing else. */
  readonly isAnswer?: true;
  /** URI of a resource. */
  readonly resource?: string;
  readonly prompt?: string;
  /**
   * The equivalent call, if its method is not a subject's own: completing an argument of a prompt is like getting the prompt, subscribing
   * to a resource like reading it. A rule that denies or prompts on the equivalent decides unless a rule above it matches the call itself;
   * an allow rule on it decides only if no rule matches the call.
   */
  readonly like?: Call;
  /** True if no known revision of MCP has this method. */
  readonly isUnknownMethod?: boolean;
  /** The call's arguments; undefined if none were sent. */
  readonly args?: JsonObject | undefined;
  /** The arguments as they are recorded, if some of them stand for secrets. */
  readonly shownArgs?: JsonObject | undefined;
  /** Its other parameters, such as `_meta` and `task`. Rules do not match them; a person who is asked sees them. */
  readonly extra?: JsonObject;
}

/** The arguments that a rule's `args` matches. A resource's URI counts as the argument that it is sent as. */
export function argsOf({ args, resource }: Call): JsonObject | undefined {
  return args ?? (resource === undefined ? undefined : { uri: resource });
}

/** The other parameters that a person's yes covers; undefined if there are none. */
export function boundExtra(extra: JsonObject | undefined): JsonObject | undefined {
  return withoutMeta(extra, EACH_TIME);
}

/** The parameters without these members of `_meta`; undefined if nothing is left. */
export function withoutMeta(extra: JsonObject | undefined, names: ReadonlySet<string>): JsonObject | undefined {
  if (extra === undefined) return undefined;
  const meta = extra['_meta'];
  if (!isJsonObject(meta)) return extra;
  const { _meta: _, ...others } = extra;
  const left = Object.entries(meta).filter(([name]) => !names.has(name));
  const rest: JsonObject = left.length === 0 ? others : { ...others, _meta: Object.fromEntries(left) };
  return Object.keys(rest).length === 0 ? undefined : rest;
}
