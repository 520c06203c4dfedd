import type { ModelGate } from '../../gate/model/model-gate.ts';
import type { OfferedTools } from '../../gate/model/offered-tools.ts';
import type { RequestCounts, RequestFate } from '../../gate/ports/records.ts';
import type { BodyKeeper } from './body-keeper.ts';

interface LlmGuardParts {
  readonly gate: ModelGate;
  /** Compares the tools that requests offer. */
  readonly offered?: Pick<OfferedTools, 'note'> | undefined;
  /** Stores request and answer bodies; undefined if that is off. */
  readonly bodies?: BodyKeeper | undefined;
  /** Records the counts of all requests at the end. */
  readonly recordRequests?: ((counts: RequestCounts) => void) | undefined;
}

/** Everything that checks the requests of one caller, and their answers. */
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
    await this.gate.finish();
    const counts = this.requests.report();
    if (Object.values(counts).some((count) => count > 0)) this.#recordRequests?.(counts);
  }
}

/** Counts requests for a model's answers, by outcome. */
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
