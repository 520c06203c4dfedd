import type { Socket } from 'node:net';
import type { Rounds } from '../../gate/rounds.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import type { Upstream } from '../http/upstream.ts';
import type { Counters } from '../http/counters.ts';
import type { LlmGuard } from './llm-guard.ts';

/** Told about big calls, whose values would otherwise make the heap grow to a multiple of their size. */
export interface BigCallHeap {
  /** Called before, and while, one is held. */
  beforeBig(): void;
  /** @param bigBytes bytes that were held */
  afterChunk(bigBytes: number): void;
}

/** The parts that all requests to one LLM provider share. */
export interface LlmParts {
  readonly name: string;
  readonly api: ModelApi;
  readonly upstream: Upstream;
  /** Path of the provider's base URL, without a trailing slash, and its query. */
  readonly path: string;
  readonly query: string;
  /** Finds the guard of a connection; undefined if nothing is checked. */
  readonly guards: { of(socket: Socket): LlmGuard | Promise<LlmGuard> } | undefined;
  readonly rounds: Rounds;
  readonly limits: {
    /** Most bytes of a body. */
    readonly message: number;
    /** Most bytes of an event of a stream, and of a held call. */
    readonly frame: number;
  };
  readonly counters: Counters;
  /** Milliseconds of silence before a keep-alive is sent, if not the default. */
  readonly keepAlive?: number;
  /** Keeps the heap small while a big call is held. */
  readonly heap?: BigCallHeap;
  /** Creates a unique id of a request. */
  readonly requestId: () => string;
  /** Called with each failure. A repeated failure has the same message. */
  readonly onFault: (fault: { readonly message: string }) => void;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}
