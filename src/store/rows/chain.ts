import { hash } from 'node:crypto';

/** The end of a writer's chain: its last event, or for `n` = 0 what its first one follows. */
export interface ChainEnd {
  readonly n: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** A body's hash and the end of the chain with that body added. */
export interface ChainLink extends ChainEnd {
  readonly bodyHash: Uint8Array;
}

const DIGEST_BYTES = 32;

/** The hash before and the body's, side by side; made once, since this is on every call's way. */
const pair = new Uint8Array(2 * DIGEST_BYTES);

/** What a writer's first event follows: SHA-256 of its name. */
export function beginChain(writerName: string): ChainEnd {
  return { n: 0, hash: digest(writerName) };
}

/** Adds a body: SHA-256 over the hash before it and its own hash, which is SHA-256 of its UTF-8 text. */
export function extendChain(end: ChainEnd, body: string): ChainLink {
  const bodyHash = digest(body);
  pair.set(end.hash, 0);
  pair.set(bodyHash, DIGEST_BYTES);
  return { n: end.n + 1, hash: digest(pair), bodyHash };
}

/** SHA-256. A buffer that the hash itself makes has memory of its own, which costs twice the hashing and collecting it as much again. */
function digest(data: string | Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', data, 'binary'), 'latin1');
}
