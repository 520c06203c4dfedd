import { createHmac } from 'node:crypto';
import { visitCanonicalJson } from '../../core/json.ts';
import { numberText } from '../../core/registry/fingerprint.ts';
import { isUniqueId } from '../calls/client-meta.ts';
import type { DigestedCalls, StoredCall, LinkedCall, SeenCall, SeenCalls } from '../ports/seen-call-port.ts';

/** Runs work on the kept seen calls. */
export type UseDigested = <T>(work: (seenCalls: DigestedCalls) => T) => T;

/** Names of sessions have no space. */
const HOOKED = 'hook ';

/** The session under which calls are kept that hooks were asked about. */
export function hookedSession(session: string): string {
  return HOOKED + session;
}

export function isHooked(session: string): boolean {
  return session.startsWith(HOOKED);
}

/** Keeps seen calls under keyed digests, without a word of the calls. */
export class KeyedSeenCalls implements SeenCalls {
  readonly #use: UseDigested;
  readonly #readKey: () => Uint8Array;
  #key: Uint8Array | undefined;

  /** @param readKey called once, when it is first needed; all processes of a user must share the key, or none sees another's seen calls */
  constructor(use: UseDigested, readKey: () => Uint8Array) {
    this.#use = use;
    this.#readKey = readKey;
  }

  add(session: string, call: LinkedCall, seenCall: SeenCall): void {
    const digest = this.#digest(call);
    this.#use((kept) => kept.add(session, digest, seenCall));
  }

  of(session: string, call: LinkedCall): readonly StoredCall[] {
    // Most users have neither models' answers inspected nor hooks, and are spared the digest.
    return this.#use((kept) => (kept.isEmpty ? [] : kept.of(session, this.#digest(call))));
  }

  named(call: LinkedCall, toolUseId: string): readonly StoredCall[] {
    return this.#use((kept) => (kept.isEmpty ? [] : kept.named(this.#digest(call), toolUseId)));
  }

  remove(session: string, call: LinkedCall, n: number): void {
    const digest = this.#digest(call);
    this.#use((kept) => kept.remove(session, digest, n));
  }

  /**
   * Digest of the server, the tool and the arguments, in any order of members and any spelling of numbers: a client rewrites them between
   * the model and the server. Different numbers stay different, and missing arguments count as empty ones.
   */
  #digest({ server, tool = '', args = {} }: LinkedCall): string {
    this.#key ??= this.#readKey();
    const hmac = createHmac('sha256', this.#key);
    visitCanonicalJson([server, tool, args], (piece) => hmac.update(piece), numberText);
    return hmac.digest('base64url');
  }
}

/**
 * The seen calls of an unnamed session: it may be that of several runs, or a part of one, so only the API's own id proves that two calls are
 * one. A hook and the server are asked one after the other by the same process, so there the arguments prove it too.
 */
export class SeenCallsById implements SeenCalls {
  readonly #all: SeenCalls;

  constructor(all: SeenCalls) {
    this.#all = all;
  }

  add(session: string, call: LinkedCall, seenCall: SeenCall): void {
    if (isHooked(session) || isUniqueId(seenCall.toolUseId, call)) this.#all.add(session, call, seenCall);
  }

  of(session: string, call: LinkedCall): readonly StoredCall[] {
    return isHooked(session) ? this.#all.of(session, call) : [];
  }

  named(call: LinkedCall, toolUseId: string): readonly StoredCall[] {
    return this.#all.named(call, toolUseId);
  }

  remove(session: string, call: LinkedCall, n: number): void {
    this.#all.remove(session, call, n);
  }
}
