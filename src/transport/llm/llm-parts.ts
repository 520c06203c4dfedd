import type { Socket } from 'node:net';
import type { Rounds } from '../../gate/rounds.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import type { Upstream } from '../http/upstream.ts';
import type { Counters } from '../http/counters.ts';
import type { LlmGuard } from './llm-guard.ts';

/** Is told of big calls, whose values would otherwise have the heap grow to a multiple of them. */
export interface BigCallHeap {
  /** Before, and while, one is held. */
  beforeBig(): void;
  /** @param bigBytes that were held */
  afterChunk(bigBytes: number): void;
}

/** What all requests to one LLM provider share. */
export interface LlmParts {
  readonly name: string;
  readonly api: ModelApi;
  readonly upstream: Upstream;
  /** Path of the provider's base URL, without a slash at its end, and its query. */
  readonly path: string;
  readonly query: string;
  /** Who looks at what comes over a connection; undefined where nothing is to be looked at. */
  readonly guards: { of(socket: Socket): LlmGuard | Promise<LlmGuard> } | undefined;
  readonly rounds: Rounds;
  readonly limits: {
    /** Bytes of a body. */
    readonly message: number;
    /** Bytes of an event of a stream, and of what is held of a call. */
    readonly frame: number;
  };
  readonly counters: Counters;
  /** Milliseconds of silence after which a client is told that we are still there, where they are not the usual. */
  readonly keepAlive?: number;
  /** Keeps the process small while a big call is held. */
  readonly heap?: BigCallHeap;
  /** Makes an id that no other request has. */
  readonly requestId: () => string;
  /** What keeps requests from their answers. A message that comes again and again says the same. */
  readonly onFault: (fault: { readonly message: string }) => void;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}
