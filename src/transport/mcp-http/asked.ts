import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interceptor } from '../../gate/interceptor.ts';
import type { Era } from './gates.ts';
import type { Leaving } from './leaving.ts';

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
