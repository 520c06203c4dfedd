import type { ModelGate } from '../../gate/model/model-gate.ts';
import type { UserWords } from '../../gate/model/user-words.ts';
import type { ModelSecrets } from '../../gate/model/secrets/model-secrets.ts';
import type { OfferedTools } from '../../gate/model/offered-tools.ts';
import type { RequestCounts, RequestFate } from '../../gate/ports/records.ts';
import { DecidedCalls } from './decided-calls.ts';
import type { BodyKeeper } from './body-keeper.ts';
import type { Socket } from 'node:net';
import type { Rounds } from '../../gate/rounds.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import type { Upstream } from '../http/upstream.ts';
import type { Counters } from '../http/counters.ts';

interface LlmGuardParts {
  readonly gate: ModelGate;
  /** Compares the tools that requests offer. */
  readonly offered?: Pick<OfferedTools, 'note'> | undefined;
  /** Finds and replaces secrets; undefined if nobody looks for any. */
  readonly secrets?: ModelSecrets | undefined;
  /** Reads what users say; undefined if nobody wants to know. */
  readonly words?: Pick<UserWords, 'take' | 'finish'> | undefined;
  /** Stores request and answer bodies; undefined if that is off. */
  readonly bodies?: BodyKeeper | undefined;
  /** Records the counts of all requests at the end. */
  readonly recordRequests?: ((counts: RequestCounts) => void) | undefined;
}

/** Everything that checks the requests of one caller, and their answers. */
export class LlmGuard {
  readonly gate: ModelGate;
  readonly offered: LlmGuardParts['offered'];
  readonly secrets: LlmGuardParts['secrets'];
  readonly words: LlmGuardParts['words'];
  readonly bodies: LlmGuardParts['bodies'];
  readonly requests = new ModelRequests();
  readonly decided = new DecidedCalls();
  readonly #recordRequests: LlmGuardParts['recordRequests'];
  #requests = 0;

  constructor({ gate, offered, secrets, words, bodies, recordRequests }: LlmGuardParts) {
    this.gate = gate;
    this.offered = offered;
    this.secrets = secrets;
    this.words = words;
    this.bodies = bodies;
    this.#recordRequests = recordRequests;
  }

  /** True while a request is in flight. */
  get isBusy(): boolean {
    return this.#requests > 0;
  }

  /** Runs the work of a request; the guard stays busy meanwhile. */
  async during(work: () => Promise<void>): Promise<void> {
    this.#requests++;
    try {
      await work();
    } finally {
      this.#requests--;
    }
  }

  /** Call it when no more requests come; resolves when everything is on record. */
  async close(): Promise<void> {
    await this.bodies?.finish();
    await this.words?.finish();
    await this.gate.finish();
    const counts = this.requests.report();
    if (Object.values(counts).some((count) => count > 0)) this.#recordRequests?.(counts);
  }
}

/** Counts requests for a model's answers, by outcome. */
export class ModelRequests {
  readonly #counts: Record<RequestFate, number> = { checked: 0, refused: 0, unchecked: 0 };

  count(fate: RequestFate): void {
    this.#counts[fate]++;
  }

  report(): RequestCounts {
    return { ...this.#counts };
  }
}

export function sumRequests(all: readonly RequestCounts[]): RequestCounts {
  const sum = (fate: RequestFate): number => all.reduce((before, counts) => before + counts[fate], 0);
  return { checked: sum('checked'), refused: sum('refused'), unchecked: sum('unchecked') };
}

/** Told about big calls, whose values would otherwise make the heap grow to a multiple of their size. */
export interface BigCallHeap {
  /** Called before, and while, one is held. */
  beforeBig(): void;
  /** Called with each chunk of a big event, which is garbage then. @param bytes its length */
  copied(bytes: number): void;
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
