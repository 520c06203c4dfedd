import type { ModelGate } from '../../gate/model/model-gate.ts';
import type { OfferedTools } from '../../gate/model/offered-tools.ts';
import type { RequestCounts, RequestFate } from '../../gate/ports/records.ts';
import type { BodyKeeper } from './body-keeper.ts';

interface LlmGuardParts {
  readonly gate: ModelGate;
  /** Looks at what tools requests offer. */
  readonly offered?: Pick<OfferedTools, 'note'> | undefined;
  /** Keeps what is asked and answered; undefined where that is not wanted. */
  readonly bodies?: BodyKeeper | undefined;
  /** Records what became of all its requests. */
  readonly recordRequests?: ((counts: RequestCounts) => void) | undefined;
}

/** All that looks at the requests of one caller, and at their answers. */
export class LlmGuard {
  readonly gate: ModelGate;
  readonly offered: LlmGuardParts['offered'];
  readonly bodies: LlmGuardParts['bodies'];
  readonly requests = new ModelRequests();
  readonly #recordRequests: LlmGuardParts['recordRequests'];
  #requests = 0;

  constructor({ gate, offered, bodies, recordRequests }: LlmGuardParts) {
    this.gate = gate;
    this.offered = offered;
    this.bodies = bodies;
    this.#recordRequests = recordRequests;
  }

  /** A request is on its way. */
  get isBusy(): boolean {
    return this.#requests > 0;
  }

  /** Does what a request needs; the guard stays as long as that takes. */
  async during(work: () => Promise<void>): Promise<void> {
    this.#requests++;
    try {
      await work();
    } finally {
      this.#requests--;
    }
  }

  /** To be called when no more requests come; resolves when all is on record. */
  async close(): Promise<void> {
    await this.bodies?.finish();
    await this.gate.finish();
    const counts = this.requests.report();
    if (Object.values(counts).some((count) => count > 0)) this.#recordRequests?.(counts);
  }
}

/** Counts requests for answers of a model by what becomes of them. */
export class ModelRequests {
  readonly #counts: Record<RequestFate, number> = { looked: 0, refused: 0, unlooked: 0 };

  count(fate: RequestFate): void {
    this.#counts[fate]++;
  }

  report(): RequestCounts {
    return { ...this.#counts };
  }
}

export function sumRequests(all: readonly RequestCounts[]): RequestCounts {
  const sum = (fate: RequestFate): number => all.reduce((before, counts) => before + counts[fate], 0);
  return { looked: sum('looked'), refused: sum('refused'), unlooked: sum('unlooked') };
}
