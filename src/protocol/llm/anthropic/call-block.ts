import { formatSseEvent } from '../../sse/event.ts';
import { holdsCallWords, readArguments } from '../calls.ts';
import type { ModelCall } from '../dialect.ts';
import type { JsonObject } from '../json-object.ts';
import { applyEdits, setMember, wholeOf } from '../json-text.ts';

/** The content block of a call. */
export interface CallBlock {
  readonly type: unknown;
  /** Returns its JSON text, with or without arguments. Call it only when needed. */
  readonly text: () => string;
}

/** Types of calls that the provider runs: its own tools, and MCP servers that it calls. */
const PROVIDER_TYPES = new Set(['server_tool_use', 'mcp_tool_use']);

/** Matches types of calls; future types are likely to have similar names. */
const CALL_TYPE = /(^|_)tool_use$/;

/**
 * Reads the call in a content block, by its type alone: the message's stop reason proves nothing. A call of an unknown type counts as the
 * client's.
 *
 * @param block a `content_block`, or an element of `content`
 * @param answer id of the message
 * @returns undefined if it is not a call; `unreadable` if readers may differ on who runs it, or what it calls
 */
export function readCallBlock(block: JsonObject, answer: string | undefined): ModelCall | 'unreadable' | undefined {
  const type = block['type'];
  if (typeof type !== 'string' || !CALL_TYPE.test(type)) return undefined;
  const { id = '', name, toolset_name: group = null, server_name: server = null, input: _input, type: _type, ...others } = block;
  if (typeof id !== 'string' || typeof name !== 'string') return 'unreadable';
  if (!isTextOrNull(group) || !isTextOrNull(server)) return 'unreadable';
  // Clients ignore a server in calls that they run, and a second call inside the first.
  if ((server !== null && type !== 'mcp_tool_use') || holdsCallWords(others)) return 'unreadable';
  return {
    id,
    name,
    group: group === '' ? undefined : (group ?? undefined),
    args: undefined,
    problem: undefined,
    runBy: PROVIDER_TYPES.has(type) ? 'provider' : 'client',
    server: server === '' ? undefined : (server ?? undefined),
    answer,
  };
}

/** Returns the id of the call whose result a block is; undefined if it is not a result. */
export function resultOf(block: JsonObject): string | undefined {
  const id = block['tool_use_id'];
  return typeof id === 'string' ? id : undefined;
}

/** Formats a whole text block as three events. @param index its index in the message */
export function formatTextBlock(index: number, text: string): string {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index },
  ]
    .map((payload) => formatSseEvent({ event: payload.type, data: JSON.stringify(payload) }))
    .join('');
}

/** Formats a text block as an element of `content`. */
export function formatTextElement(text: string): string {
  return JSON.stringify({ type: 'text', text });
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

/** Counts the outcomes of a message's calls. */
export class CallTally {
  /** Denied and allowed calls of the client. */
  #denied = 0;
  #remaining = 0;
  /** Ids of denied calls that have run: their results are withheld. */
  readonly #deniedIds = new Set<string>();

  add(call: ModelCall, isAllowed: boolean): void {
    if (call.runBy === 'provider') {
      if (!isAllowed && call.id !== '') this.#deniedIds.add(call.id);
    } else if (isAllowed) this.#remaining++;
    else this.#denied++;
  }

  /** Tells whether it is the result of a denied call. @param id the call's; undefined if a block is not a result */
  isWithheld(id: string | undefined): boolean {
    return id !== undefined && this.#deniedIds.has(id);
  }

  /**
   * True if all calls were denied, so that the message can't have stopped for one. A message may also stop for a pending tool of the
   * provider, so at least one call must have been denied.
   */
  get isNothingLeft(): boolean {
    return this.#denied > 0 && this.#remaining === 0;
  }
}

/**
 * Completes a call with its arguments, and with its form in history if it can be restored.
 *
 * @param input JSON text of the arguments as it came; empty if nothing came
 */
export function completeCall(call: ModelCall, input: string, { type, text }: CallBlock): ModelCall {
  const read = readArguments(input);
  // Only tool_use is restored: other block types have no documented result.
  if (read.problem !== undefined || type !== 'tool_use' || call.id === '') return { ...call, ...read };
  return { ...call, ...read, inHistory: () => withInput(text(), read.args) };
}

function withInput(block: string, args: string): string {
  return applyEdits(block, [setMember(block, wholeOf(block), 'input', args)]);
}
