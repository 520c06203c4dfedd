import { formatSseEvent } from '../../sse/format.ts';
import { holdsCallWords, readArguments } from '../calls.ts';
import type { ModelCall } from '../dialect.ts';
import type { JsonObject } from '../json-object.ts';
import { applyEdits, setMember, wholeOf } from '../json-text.ts';

/** The block that a call is. */
export interface CallBlock {
  readonly type: unknown;
  /** JSON text of it, with any arguments or none. To be called when it is needed. */
  readonly text: () => string;
}

/** What runs where the provider does: its own tools, and MCP servers that it calls. */
const PROVIDER_TYPES = new Set(['server_tool_use', 'mcp_tool_use']);

/** Calls of a kind that is not known yet will be called like the known ones. */
const CALL_TYPE = /(^|_)tool_use$/;

/**
 * The call that a content block is, going by its type alone: what a message stopped for is no witness. A call of an unknown type counts as
 * one that the client runs.
 *
 * @param block a `content_block`, or an element of `content`
 * @param answer id of the message
 * @returns undefined where it is no call; `unreadable` where it is one of which readers may differ on whose it is, or what it calls
 */
export function readCallBlock(block: JsonObject, answer: string | undefined): ModelCall | 'unreadable' | undefined {
  const type = block['type'];
  if (typeof type !== 'string' || !CALL_TYPE.test(type)) return undefined;
  const { id = '', name, toolset_name: group = null, server_name: server = null, input: _input, type: _type, ...others } = block;
  if (typeof id !== 'string' || typeof name !== 'string') return 'unreadable';
  if (!isTextOrNull(group) || !isTextOrNull(server)) return 'unreadable';
  // Clients don't look for a server where they run a call themselves, nor for a second call within the first.
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

/** The id of the call whose result a block is; undefined where it is none. */
export function resultOf(block: JsonObject): string | undefined {
  const id = block['tool_use_id'];
  return typeof id === 'string' ? id : undefined;
}

/** A whole text block as three events. @param index its place in the message */
export function formatTextBlock(index: number, text: string): string {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index },
  ]
    .map((payload) => formatSseEvent({ event: payload.type, data: JSON.stringify(payload) }))
    .join('');
}

/** A text block as an element of `content`. */
export function formatTextElement(text: string): string {
  return JSON.stringify({ type: 'text', text });
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

/** What has become of the calls of a message. */
export class CallTally {
  /** Calls that the client was to run. */
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

  /** Is it the result of a call that was denied? @param id the call's; undefined where a block is no result */
  isWithheld(id: string | undefined): boolean {
    return id !== undefined && this.#deniedIds.has(id);
  }

  /**
   * Nothing is left to run of what there was, so that the message can't have stopped for it. A message may also stop for a tool of the
   * provider's whose result is to come, so that calls have to have been denied.
   */
  get isNothingLeft(): boolean {
    return this.#denied > 0 && this.#remaining === 0;
  }
}

/**
 * The call with its arguments, and with the way to tell it again where a client of the API could.
 *
 * @param input JSON text of the arguments as it came; empty where nothing came
 */
export function completeCall(call: ModelCall, input: string, { type, text }: CallBlock): ModelCall {
  const read = readArguments(input);
  // Of other blocks nobody knows what their results look like.
  if (read.problem !== undefined || type !== 'tool_use' || call.id === '') return { ...call, ...read };
  return { ...call, ...read, inHistory: () => withInput(text(), read.args) };
}

function withInput(block: string, args: string): string {
  return applyEdits(block, [setMember(block, wholeOf(block), 'input', args)]);
}
