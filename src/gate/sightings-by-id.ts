import type { KeptSighting, SightedCall, Sighting, Sightings } from './sighting-port.ts';
import { isUniqueId } from './tool-use-id.ts';

/**
 * The sightings for a session that nobody has named: it may be that of several runs, or a part of one, so that only the API's own id says that two
 * calls are one.
 */
export class SightingsById implements Sightings {
  readonly #all: Sightings;

  constructor(all: Sightings) {
    this.#all = all;
  }

  add(session: string, call: SightedCall, sighting: Sighting): void {
    if (isUniqueId(sighting.toolUseId, call)) this.#all.add(session, call, sighting);
  }

  of(): readonly KeptSighting[] {
    return [];
  }

  named(call: SightedCall, toolUseId: string): readonly KeptSighting[] {
    return this.#all.named(call, toolUseId);
  }

  remove(session: string, call: SightedCall, n: number): void {
    this.#all.remove(session, call, n);
  }
}
