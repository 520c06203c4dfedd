import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Appending, and never into something else that was put in the file's place: not through a link, and not into a pipe, whose
 * opening would wait for a reader and everything else with it. (Windows has neither flag.)
 */
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Appends one JSON line per event to a file that all processes of a user share. The file and its folder are made at the first
 * event, for nobody but the user to read. Each line is one `write` to a descriptor opened for appending, which the
 * operating system does not mix with those of others.
 */
export class JsonlFile {
  readonly #file: string;
  #descriptor: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws where not all of the line could be written */
  append(event: string): void {
    const line = Buffer.from(`${event}\n`);
    const written = writeSync(this.#open(), line);
    // A disk that fills up takes a part of the line and reports no error.
    if (written !== line.length) throw new Error(`only ${written} of ${line.length} bytes were written to ${this.#file}`);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    if (this.#descriptor !== undefined) {
      if (fstatSync(this.#descriptor).nlink > 0) return this.#descriptor;
      // It was deleted: what is written there nobody can read, so a new one is begun.
      this.close();
    }
    makeFolder(dirname(this.#file));
    const descriptor = openSync(this.#file, APPEND, 0o600);
    if (fstatSync(descriptor).isFIFO()) {
      closeSync(descriptor);
      throw new Error(`${this.#file} is a pipe, not a file`);
    }
    this.#descriptor = descriptor;
    return descriptor;
  }
}

/**
 * Makes what is missing of a folder's path, for nobody but the user. One by one: Node's own recursive way tries for ever where
 * a file system says that the folder above is missing although it is there, as procfs does.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it just now. Where it is something else than a folder, opening the file tells.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
