import { createHmac } from 'node:crypto';
import { canonicalText } from '../../core/registry/canonical-text.ts';
import { isUniqueId } from '../calls/client-meta.ts';
import type { DigestedSightings, KeptSighting, SightedCall, Sighting, Sightings } from '../ports/sighting-port.ts';

/** Runs work on the kept sightings. */
export type UseDigested = <T>(work: (sightings: DigestedSightings) => T) => T;

/** Keeps sightings under keyed digests, without a word of the calls. */
export class KeyedSightings implements Sightings {
  readonly #use: UseDigested;
  readonly #readKey: () => Uint8Array;
  #key: Uint8Array | undefined;

  /** @param readKey called once, when it is first needed; all processes of a user must share the key, or none sees another's sightings */
  constructor(use: UseDigested, readKey: () => Uint8Array) {
    this.#use = use;
    this.#readKey = readKey;
  }

  add(session: string, call: SightedCall, sighting: Sighting): void {
    const digest = this.#digest(call);
    this.#use((kept) => kept.add(session, digest, sighting));
  }

  of(session: string, call: SightedCall): readonly KeptSighting[] {
    const digest = this.#digest(call);
    return this.#use((kept) => kept.of(session, digest));
  }

  named(call: SightedCall, toolUseId: string): readonly KeptSighting[] {
    // Most users have no model's answers looked at, and are spared the digest.
    return this.#use((kept) => (kept.isEmpty ? [] : kept.named(this.#digest(call), toolUseId)));
  }

  remove(session: string, call: SightedCall, n: number): void {
    const digest = this.#digest(call);
    this.#use((kept) => kept.remove(session, digest, n));
  }

  /**
   * Digest of the server, the tool and the arguments, in any order of members and any spelling of numbers: a client rewrites them between
   * the model and the server. Different numbers stay different, and missing arguments count as empty ones.
   */
  #digest({ server, tool = '', args = {} }: SightedCall): string {
    this.#key ??= this.#readKey();
    return createHmac('sha256', this.#key)
      .update(canonicalText([server, tool, args]))
      .digest('base64url');
  }
}

/**
 * The sightings of an unnamed session: it may be that of several runs, or a part of one, so only the API's own id proves that two calls are
 * one.
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
