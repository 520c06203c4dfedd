import type { KeptSighting, SightedCall, Sighting, Sightings } from '../gate/sighting-port.ts';

/** Does something with the sightings that there are; throws where there are none yet. */
export type UseSightings = <T>(work: (sightings: Sightings) => T) => T;

/** Sightings that are elsewhere, as `LateRegistry` is. */
export class LateSightings implements Sightings {
  readonly #use: UseSightings;

  constructor(use: UseSightings) {
    this.#use = use;
  }

  add(session: string, call: SightedCall, sighting: Sighting): void {
    this.#use((sightings) => sightings.add(session, call, sighting));
  }

  of(session: string, call: SightedCall): readonly KeptSighting[] {
    return this.#use((sightings) => sightings.of(session, call));
  }

  named(call: SightedCall, toolUseId: string): readonly KeptSighting[] {
    return this.#use((sightings) => sightings.named(call, toolUseId));
  }

  remove(session: string, call: SightedCall, n: number): void {
    this.#use((sightings) => sightings.remove(session, call, n));
  }
}
