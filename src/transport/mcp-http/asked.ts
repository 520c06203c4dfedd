import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interceptor } from '../../gate/interceptor.ts';
import type { Era } from './gates.ts';
import type { RouteParts } from './route-parts.ts';

/** A request of the client's that the server was asked about. */
export interface Asked {
  readonly gate: Interceptor;
  readonly era: Era;
  /** The gate is that of a session, in which an answer may come by another stream. */
  readonly isOfSession: boolean;
  readonly session: string | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** With its question mark; empty where there is none. */
  readonly query: string;
  /** The messages that went on, as lines; none of a GET. */
  readonly onward: Buffer;
  /** What the client is answered besides, whatever the server says; as lines. */
  readonly reply: string;
  readonly leaving: Leaving;
}

/** A client that may leave before it has its answer, which ends what was asked of the server for it. Cheaper than a signal. */
export class Leaving {
  #isGone = false;
  #abort: ((reason: Error) => void) | undefined;

  /** @param onGone called where it leaves early */
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

  /** To be handed what ends the request to the server. */
  readonly onStart = (abort: (reason: Error) => void): void => {
    this.#abort = abort;
    if (this.#isGone) abort(new Error('the client has disconnected'));
  };
}

/**
 * What the client is told of the requests that the server did not answer, as lines. A session that ends while they are on their way takes
 * with it what its gate knew of them; whoever asked waits all the same.
 *
 * @param options `hasArrived`: the server may have got them, so that they count as calls that were made
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
