import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interceptor } from '../../gate/interceptor.ts';
import type { Era } from './gates.ts';
import type { RouteParts } from './route-parts.ts';

/** The address for messages of a session of HTTP+SSE. */
export interface SseAddress {
  /** Path and query of the server's; undefined until it has told it. */
  readonly path: string | undefined;
  /** See `StreamOptions.endpoint`. */
  readonly endpoint: (announced: string, tell: (lines: string) => void) => string | undefined;
}

/** A client's request that is passed to the server. */
export interface Asked {
  readonly gate: Interceptor;
  readonly era: Era;
  /** True if the gate is that of a session, in which an answer may come by another stream. */
  readonly isOfSession: boolean;
  readonly session: string | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The query with its question mark; empty if there is none. */
  readonly query: string;
  /** The forwarded messages, as lines; empty for a GET. */
  readonly onward: Buffer;
  /** Our own answers, added to the server's; as lines. */
  readonly reply: string;
  readonly leaving: Leaving;
  /** Set if the answer may be the stream of a session of HTTP+SSE. */
  readonly sse?: SseAddress | undefined;
}

/** Tracks whether the client leaves before it has its answer, and then aborts the request to the server. Cheaper than a signal. */
export class Leaving {
  #isGone = false;
  #abort: ((reason: Error) => void) | undefined;

  /** @param onGone called if the client leaves early */
  constructor(response: ServerResponse, onGone?: () => void) {
    response.once('close', () => {
      if (response.writableFinished) return;
      this.#isGone = true;
      onGone?.();
      this.#abort?.(new Error('the client has disconnected'));
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Takes the function that aborts the request to the server. */
  readonly onStart = (abort: (reason: Error) => void): void => {
    this.#abort = abort;
    if (this.#isGone) abort(new Error('the client has disconnected'));
  };
}

/**
 * Returns answers to the requests that the server did not answer, as lines. When a session ends, its gate forgets pending requests; their
 * clients still wait, so they are answered here.
 *
 * @param options `hasArrived`: the server may have got them, so they count as calls that were made
 */
export function unansweredOf(
  { gates }: Pick<RouteParts, 'gates'>,
  { gate, onward }: Pick<Asked, 'gate' | 'onward'>,
  { why, hasArrived }: { readonly why: string; readonly hasArrived: boolean },
): string {
  const lines = gate.requests.undelivered(onward, why, { hasArrived });
  if (lines !== '' || !gates.hasEnded(gate)) return lines;
  const answers: string[] = [];
  for (const line of onward.toString('latin1').split('\n')) {
    const bytes = Buffer.from(line, 'latin1');
    const verdict = gate.undeliverable(bytes, 0, bytes.length);
    if (verdict.kind === 'reply') answers.push(verdict.line);
  }
  return answers.join('');
}
