import type { JsonObject } from '../../json-object.ts';

/** `legacy`: in the place that calls had before there could be many. */
export type CallKind = 'function' | 'custom' | 'legacy';

/** All that a call says. */
export interface CallParts {
  readonly kind: CallKind;
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly name: string;
  /** Of a custom tool: what it is given. */
  readonly args: string;
  /** What it has besides, and what it has within `function` or `custom`. */
  readonly extras: JsonObject;
  readonly innerExtras: JsonObject;
}

/** A call as one part of a stream: an element of `tool_calls`, or `function_call`. @param index its place */
export function formatCallPart(call: CallParts, index: number): string {
  return format(call, call.kind === 'legacy' ? {} : { index, id: call.id, type: call.type });
}

/** A call as a message of a request has it. */
export function formatPastCall(call: CallParts): string {
  return format(call, call.kind === 'legacy' ? {} : { id: call.id, type: call.type ?? call.kind });
}

function format({ kind, name, args, extras, innerExtras }: CallParts, head: JsonObject): string {
  const inner = { name, [kind === 'custom' ? 'input' : 'arguments']: args, ...innerExtras };
  return JSON.stringify(kind === 'legacy' ? inner : { ...head, [kind]: inner, ...extras });
}
