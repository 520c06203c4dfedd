import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** A file is read in pieces of so many bytes: clients' files may be large, and there are enough copies of them in memory. */
const PIECE = 1024 * 1024;

/** SHA-256 of a file's bytes, in hexadecimal digits. */
export function fileHash(file: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE);
  const handle = openSync(file, 'r');
  try {
    for (;;) {
      const count = readSync(handle, piece);
      if (count === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, count));
    }
  } finally {
    closeSync(handle);
  }
}
