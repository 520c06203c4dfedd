import { createHash } from 'node:crypto';

/** Bytes without order that are the same at each run. */
export function randomBytes(count: number, seed = ''): Buffer {
  const parts = Array.from({ length: Math.ceil(count / 64) }, (_, index) =>
    createHash('sha512').update(`${seed}:${index}`).digest(),
  );
  return Buffer.concat(parts).subarray(0, count);
}
