import { canonicalJson } from '../../src/core/canonical-json.ts';
import type { KeptSighting, SightedCall, Sighting, Sightings } from '../../src/gate/ports/sighting-port.ts';

/** Sightings in memory; what is taken back is not, so it stands for a store that never fails. */
export class MemorySightings implements Sightings {
  readonly #kept = new Map<string, KeptSighting[]>();
  /** How often it was asked for something. */
  asked = 0;
  #last = 0;

  add(session: string, call: SightedCall, sighting: Sighting): void {
    this.#kept.set(keyOf(session, call), [...this.of(session, call), { ...sighting, session, n: ++this.#last }]);
  }

  of(session: string, call: SightedCall): readonly KeptSighting[] {
    this.asked++;
    return this.#kept.get(keyOf(session, call)) ?? [];
  }

  named(call: SightedCall, toolUseId: string): readonly KeptSighting[] {
    this.asked++;
    return this.left.filter((each) => each.toolUseId === toolUseId && this.of(each.session, call).includes(each));
  }

  remove(session: string, call: SightedCall, n: number): void {
    const left = this.of(session, call).filter((each) => each.n !== n);
    this.#kept.set(keyOf(session, call), left);
  }

  /** All that are left. */
  get left(): readonly KeptSighting[] {
    return [...this.#kept.values()].flat();
  }
}

function keyOf(session: string, { server, tool = '', args = {} }: SightedCall): string {
  return canonicalJson([session, server, tool, args]);
}
