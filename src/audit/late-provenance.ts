import type { Evidence } from '../core/flow/window.ts';
import type { JsonObject } from '../core/json.ts';
import type { Provenance, ReadValues, RememberedValues } from '../gate/session-port.ts';

/** Provenance that is loaded along with what records; nothing is said or read before that. */
export class LateProvenance implements Provenance {
  readonly #loaded: () => Provenance;

  /** @param loaded throws where it is not there yet */
  constructor(loaded: () => Provenance) {
    this.#loaded = loaded;
  }

  noteSaid(args: JsonObject | undefined, time: number): void {
    this.#loaded().noteSaid(args, time);
  }

  read(texts: readonly string[]): Generator<undefined, ReadValues> {
    return this.#loaded().read(texts);
  }

  add(values: RememberedValues): void {
    this.#loaded().add(values);
  }

  clear(): void {
    this.#loaded().clear();
  }

  find(args: JsonObject | undefined, server: string): readonly Evidence[] {
    return this.#loaded().find(args, server);
  }
}
