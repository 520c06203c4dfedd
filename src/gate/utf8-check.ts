import { isUtf8 } from 'node:buffer';

/** Tells whether messages are valid UTF-8. A chunk that is so as a whole is so in its lines; only where it is not (it may end in a character) they are asked. */
export class Utf8Check {
  /** The chunk that was looked at last. */
  #chunk: Buffer | undefined;
  #isValid = false;

  /** @param bytes the chunk that the line `bytes[start..end)` came in */
  isValid(bytes: Buffer, start: number, end: number): boolean {
    if (bytes !== this.#chunk) {
      this.#chunk = bytes;
      this.#isValid = isUtf8(bytes);
    }
    return this.#isValid || isUtf8(bytes.subarray(start, end));
  }
}
