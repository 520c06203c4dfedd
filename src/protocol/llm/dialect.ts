import { JsonArraySplitter } from '../json-array-splitter.ts';
import { type SseEvent, SseSplitter } from '../sse/splitter.ts';

/** How the events of a streamed answer lie in its bytes: as server-sent events, or as the elements of one JSON array. */
export type Framing = 'sse' | 'json_array';

/** Cuts the bytes of a streamed answer into its events. */
export interface FrameSplitter {
  /** Visits each event that the chunk completes. False: nothing more is visited from then on, the answer can't be followed any more. */
  push(chunk: Buffer, visit: (event: SseEvent) => void): boolean;
  /** That is so because of what the bytes say, and not because an event is too long. */
  readonly isMalformed?: boolean;
  /** @returns what came behind the last event, and is none */
  end?(): Buffer;
}

/** A tool call that a model makes, in the words of its API. */
export interface ModelCall {
  /** The API's own id of the call; empty where it has none. */
  readonly id: string;
  /** The tool's name as the model says it, and as the client reads it. */
  readonly name: string;
  /** What the name is part of, where the API says that apart from it: a toolset, a namespace. */
  readonly group: string | undefined;
  /** The complete arguments as JSON text; undefined while only the name is known. */
  readonly args: string | undefined;
  /** Why the arguments can't be relied on, if anything: readers may differ on them, or they are not all there. `unclear`: readers may differ on its name as well. */
  readonly problem: 'invalid_json' | 'duplicate_key' | 'not_an_object' | 'too_long' | 'incomplete' | 'unclear' | undefined;
  /** `provider`: it has been run by the time it is seen. */
  readonly runBy: 'client' | 'provider';
  /** The MCP server that the provider called, by the name that the request gave it. */
  readonly server: string | undefined;
  /** The API's id of the answer that the call is part of, where it has one. */
  readonly answer?: string | undefined;
  /**
   * The call as a later request has it in its history: JSON text in the API's own words, with all that has to come back unchanged (signatures,
   * who called). There for a complete call that was asked about and can be told again; to be called before the verdict on it is given, if at all.
   */
  readonly inHistory?: (() => string) | undefined;
}

/** What a call's name settles: that it may stream on, that nothing of it may, or nothing before its arguments are known. */
export type NameVerdict = 'allow' | 'deny' | 'hold';

/** What is to become of a call. `note` takes its place where it is denied: a text for the model and the person, never empty. */
export type CallVerdict = { readonly isAllowed: true } | { readonly isAllowed: false; readonly note: string };

/** Where a stream's bytes go, and who decides about its calls. */
export interface StreamOutput {
  /** An event of upstream's that goes on as it came; not to be kept, as its bytes may not stay what they are. */
  pass(event: SseEvent): void;
  /** Whole frames in memory that nobody else writes to from now on. */
  own(bytes: Buffer): void;
  /** Text of our own, or an event written anew. Whole frames only. */
  text(text: string): void;
  /**
   * Asks about a call that is complete. Exactly one `answer` follows, at once (within this call) or later; until then everything that
   * comes is kept in order behind it, and nothing is asked.
   */
  ask(call: ModelCall): void;
  /** The stream can't be followed any more; what told the client so has been written, and it is to be closed. */
  fault(why: string): void;
}

export interface StreamOptions {
  readonly output: StreamOutput;
  /** Asked once for each call, when its name is known. A call that is allowed by name is asked about all the same when it is complete, before its end is let through. */
  readonly nameVerdict: (call: ModelCall) => NameVerdict;
  /** Bytes that may be held for a call, and behind it. What is more is `too_long`. */
  readonly maxHeld: number;
  /** As server-sent events, unless said otherwise. */
  readonly framing?: Framing;
  /** What nobody knows goes on as well; otherwise it ends the answer, since it may be a call. */
  readonly passesUnknown?: boolean;
}

/** A streamed answer of a model on its way to the client. Does no I/O and keeps no time: whoever drives it does. */
export interface ModelStream {
  /** Takes one event of upstream's. */
  push(event: SseEvent): void;
  /** To the last `ask`. */
  answer(verdict: CallVerdict): void;
  /**
   * Upstream has ended its answer. What waits for an answer of ours goes on once that is there, and nothing of a call that is not complete;
   * such a call is asked about, so that it is known of. All is written when nothing is held any more.
   *
   * @param rest what came behind the last event, and is none
   */
  end(rest?: Buffer): void;
  /** Ends the answer with an error that tells the client why, which is a `fault`: it can't be followed any more. */
  fail(why: string): void;
  /** Something is held back, so that the client may wonder whether we are still there. */
  readonly isHolding: boolean;
  /** What tells it so, in this dialect. May be written between any two frames. */
  readonly keepAlive: string;
}

/** @param maxFrame bytes that an event may have */
export function createSplitter(framing: Framing, maxFrame: number): FrameSplitter {
  return framing === 'sse' ? new SseSplitter({ maxFrame }) : new JsonArraySplitter({ maxFrame });
}

/** Does a frame without data say nothing at all: comments and blank lines, which readers skip? */
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
