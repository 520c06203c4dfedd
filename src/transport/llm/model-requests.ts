import type { RequestCounts, RequestFate } from '../../gate/body-record.ts';

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
