import { JsonArraySplitter } from '../json-array-splitter.ts';
import { type SseEvent, SseSplitter } from '../sse/splitter.ts';

/** The framing of a streamed answer: server-sent events, or the elements of one JSON array. */
export type Framing = 'sse' | 'json_array';

/** Splits the bytes of a streamed answer into events. */
export interface FrameSplitter {
  /** Visits each event that the chunk completes. False if the answer can't be parsed any more; then nothing more is visited. */
  push(chunk: Buffer, visit: (event: SseEvent) => void): boolean;
  /** Bytes of the unfinished event, which were copied. */
  readonly joined: number;
  /** True if the bytes are malformed, false if an event was too long. */
  readonly isMalformed?: boolean;
  /** @returns the bytes after the last event */
  end?(): Buffer;
}

/** A tool call of a model, in the words of its API. */
export interface ModelCall {
  /** The API's own id of the call; empty if it has none. */
  readonly id: string;
  /** The tool's name as the model wrote it, and as the client reads it. */
  readonly name: string;
  /** The toolset or namespace of the name, if the API gives it separately. */
  readonly group: string | undefined;
  /** The complete arguments as JSON text; undefined while only the name is known. */
  readonly args: string | undefined;
  /**
   * The reason why the arguments can't be trusted, if any: readers may differ on them, or they are incomplete. `unclear`: readers may
   * differ on the name as well.
   */
  readonly problem: 'invalid_json' | 'duplicate_key' | 'not_an_object' | 'too_long' | 'incomplete' | 'unclear' | undefined;
  /** `provider`: it has already run when we see it. */
  readonly runBy: 'client' | 'provider';
  /** The MCP server that the provider called, by its name in the request. */
  readonly server: string | undefined;
  /** The API's id of the answer that contains the call, if any. */
  readonly answer?: string | undefined;
  /**
   * Formats the call as it appears in the history of a later request: JSON text in the API's own words, with everything that must come back
   * unchanged (signatures, caller). Set for a complete call that was asked about and can be restored. Call it before the verdict is given,
   * if at all.
   */
  readonly inHistory?: (() => string) | undefined;
}

/** The verdict by name: the call may be streamed, it may not, or it is held until its arguments are known. */
export type NameVerdict = 'allow' | 'deny' | 'hold';

/** The verdict on a call. If it is denied, `note` takes its place: a text for the model and the person, never empty. */
export type CallVerdict = { readonly isAllowed: true } | { readonly isAllowed: false; readonly note: string };

/** The sink of a stream's bytes, which also decides about its calls. */
export interface StreamOutput {
  /** Passes an upstream event unchanged; it must not be kept, since its bytes may change. */
  pass(event: SseEvent): void;
  /** Writes whole frames in memory that nobody else changes any more. */
  own(bytes: Buffer): void;
  /** Writes text of our own, or a rewritten event. */
  text(text: string): void;
  /** Writes a long text whose parts are made as the client reads them. What is written next comes after the last one. */
  parts(parts: Iterable<string>): void;
  /**
   * Asks about a complete call. Exactly one `answer` follows, at once (within this call) or later; until then everything that comes is
   * queued behind it, and nothing else is asked.
   */
  ask(call: ModelCall): void;
  /** Reports that the stream can't be parsed any more; the client was told, and the stream must be closed. */
  fault(why: string): void;
}

export interface StreamOptions {
  readonly output: StreamOutput;
  /**
   * Called once per call, when its name is known. A call allowed by name is still asked about when it is complete, before its end is passed
   * on.
   */
  readonly nameVerdict: (call: ModelCall) => NameVerdict;
  /** Most bytes held for a call, and behind it. Beyond that it is `too_long`. */
  readonly maxHeld: number;
  /** Server-sent events by default. */
  readonly framing?: Framing;
  /** The API's id of the answer, if the request names it: a stream that goes on after a break does not tell it. */
  readonly answer?: string | undefined;
  /** A text in base64url that nobody outside can guess. */
  readonly nonce?: string;
  /** True to pass unknown content; otherwise it ends the answer, since it may be a call. */
  readonly passesUnknown?: boolean;
}

/** Processes a model's streamed answer for the client. It does no I/O and has no timer: its driver does. */
export interface ModelStream {
  /** Takes one upstream event. */
  push(event: SseEvent): void;
  /** Answers the last `ask`. */
  answer(verdict: CallVerdict): void;
  /**
   * Ends the answer. Queued content still passes once our answer is there, but not an incomplete call, which is asked about so that it is
   * recorded. When nothing is held any more, everything is written.
   *
   * @param rest the bytes after the last event
   */
  end(rest?: Buffer): void;
  /** Ends the answer with an error that tells the client why; this is a `fault`. */
  fail(why: string): void;
  /** True while something is held back, so that the client may wonder whether we are still there. */
  readonly isHolding: boolean;
  /** The keep-alive of this dialect, which may be written between any two frames. */
  readonly keepAlive: string;
}

/** @param maxFrame most bytes of an event */
export function createSplitter(framing: Framing, maxFrame: number): FrameSplitter {
  return framing === 'sse' ? new SseSplitter({ maxFrame }) : new JsonArraySplitter({ maxFrame });
}

/** Tells whether a frame without data consists only of comments and blank lines, which readers skip. */
export function isComment({ bytes, start, end }: SseEvent): boolean {
  let at = start;
  while (at < end) {
    const lineFeed = bytes.indexOf(0x0a, at);
    const next = lineFeed === -1 || lineFeed >= end ? end : lineFeed + 1;
    const first = bytes[at];
    if (first !== 0x3a && first !== 0x0a && !(first === 0x0d && next === at + 2)) return false;
    at = next;
  }
  return true;
}
