import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../host/make-folder.ts';

/**
 * Opens for appending only. If a link or a pipe was put in the file's place, it neither follows the link nor waits for the pipe's reader.
 * (Windows has neither flag.)
 */
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Appends one JSON line per event to a file that all processes of a user share. The file and its folder are created at the first event,
 * readable by the user only. Each line is one `write` to an appending descriptor, which the operating system does not interleave with
 * others.
 */
export class JsonlFile {
  readonly #file: string;
  #descriptor: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws if the line could not be written in full */
  append(event: string): void {
    const line = Buffer.from(`${event}\n`);
    const written = writeSync(this.#open(), line);
    // A full disk takes a part of the line and reports no error.
    if (written !== line.length) throw new Error(`only ${written} of ${line.length} bytes were written to ${this.#file}`);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    if (this.#descriptor !== undefined) {
      if (fstatSync(this.#descriptor).nlink > 0) return this.#descriptor;
      // The file was deleted, so nobody could read what is written there; a new one is created.
      this.close();
    }
    makePrivateFolder(dirname(this.#file));
    const descriptor = openSync(this.#file, APPEND, 0o600);
    if (fstatSync(descriptor).isFIFO()) {
      closeSync(descriptor);
      throw new Error(`${this.#file} is a pipe, not a file`);
    }
    this.#descriptor = descriptor;
    return descriptor;
  }
}
