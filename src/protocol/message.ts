import type { JsonScanner } from './json-scanner.ts';

/** A range of bytes, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The kind of a line, as far as its envelope tells. */
export type MessageKind = 'request' | 'notification' | 'response' | 'batch' | 'blank' | 'malformed';

/** Envelope of one JSON-RPC message: where its parts lie in the line, nothing of them copied. */
export interface Message {
  readonly kind: MessageKind;
  readonly bytes: Buffer;
  /** The message is `bytes[start..end)`. */
  readonly start: number;
  readonly end: number;
  /** The method of a request or notification, and of a message that is malformed behind it. */
  readonly method: string | undefined;
  /** The id, absent on notifications. */
  readonly id: Span | undefined;
  readonly params: Span | undefined;
  /** Keys in the params, at all depths, each as often as it is there. */
  readonly paramKeys: number;
  /** The result of an answer, which has this or `error`; the other may be written as null and is left out here. */
  readonly result: Span | undefined;
  /** Keys in the result, as `paramKeys` counts them. */
  readonly resultKeys: number;
  readonly error: Span | undefined;
  /** The member of that name in `result` or `params`: requests that a server puts to the client inside an answer (MCP 2026-07-28). */
  readonly inputRequests: Span | undefined;
  /** True if it has a `result` or an `error`; told also of what is malformed behind that. */
  readonly hasAnswer: boolean;
  /** The fault, in words for the sender; set on `malformed` and `batch`. */
  readonly problem: string | undefined;
}

/** A message of which nothing is known but its kind. */
export function withoutParts(kind: MessageKind, { bytes, start, end }: JsonScanner, problem: string | undefined): Message {
  return {
    kind,
    bytes,
    start,
    end,
    method: undefined,
    id: undefined,
    params: undefined,
    paramKeys: 0,
    result: undefined,
    resultKeys: 0,
    error: undefined,
    inputRequests: undefined,
    hasAnswer: false,
    problem,
  };
}
