import type { Rounds } from '../../gate/rounds.ts';
import type { Counters } from '../http/counters.ts';
import type { UpstreamFault } from '../http/upstream-fault.ts';
import type { Upstream } from '../http/upstream.ts';
import type { Gates } from './gates.ts';

/** The header `authorization` for a request, or the reason why there is none: a sentence that says what to do. */
export type Credential = { readonly header: string } | { readonly problem: string };

/** The login to a server that clawai logs in to itself. Its clients don't, and their own headers are not sent. */
export interface Credentials {
  /** Returns what the next request is sent with. Never throws or rejects. */
  readonly current: () => Credential | Promise<Credential>;
  /** Renews what the server has refused (HTTP 401). Never rejects. */
  readonly renew: (refused: string) => Promise<Credential>;
  /** Takes a challenge that came with HTTP 403, and returns the reason for people and models. */
  readonly refused: (challenge: string) => string;
  /** The sessions that the server has begun with clients of this route. It takes no others: to the server, all clients are one. */
  readonly sessions: { add(id: string): unknown; has(id: string): boolean };
}

/** A client's first request, as it would be sent to the server. */
export interface FirstRequest {
  readonly line: Buffer;
  /** Path and query. */
  readonly path: string;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
}

/** Answers a client's requests in place of a server of another era, to which it passes them on. */
export type StandIn = Pick<Upstream, 'host' | 'send' | 'close'>;

/** Translates between a server and those of its clients that speak no era in common with it. */
export interface Eras {
  /** The stand-in that has begun this session; undefined if it is not one of ours. */
  ofSession(id: string): StandIn | 'ended' | undefined;
  /** Begins a session for a client of the legacy era whose greeting the server has refused; undefined if that refusal is the last word. */
  greet(first: FirstRequest): Promise<StandIn | undefined>;
  /** The stand-in for a client of the modern era; undefined if it needs none. @param caller by whom its requests are told apart */
  ofModern(caller: object, first: () => FirstRequest): Promise<StandIn | undefined> | undefined;
  /** Ends all conversations; resolves when the server has heard of it. */
  close(): Promise<void>;
}

/** The parts that all requests to one remote server share. */
export interface RouteParts {
  readonly name: string;
  readonly upstream: StandIn;
  /** Scheme, host and port of the remote server's URL. */
  readonly origin: string;
  /** Path and query of the remote server's URL. */
  readonly path: string;
  /** Headers that the config sets on each request, in place of the client's. */
  readonly headers: Readonly<Record<string, string>>;
  /** Set if clawai logs in to the server itself. */
  readonly credentials?: Credentials | undefined;
  readonly eras?: Eras | undefined;
  readonly gates: Gates;
  readonly rounds: Rounds;
  readonly limits: {
    /** Most bytes of a message. */
    readonly message: number;
    /** Most bytes of an event of a stream. */
    readonly frame: number;
  };
  readonly counters: Counters;
  /** Called with each failure to reach the server. */
  readonly onFault: (fault: UpstreamFault) => void;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/**
 * Builds path and query for the remote server: those of its URL, plus the query of the client's request.
 *
 * @param query with its question mark; empty if there is none
 */
export function upstreamPath({ path }: Pick<RouteParts, 'path'>, query: string): string {
  if (query === '') return path;
  return path.includes('?') ? `${path}&${query.slice(1)}` : path + query;
}
