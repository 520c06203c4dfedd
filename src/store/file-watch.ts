import { type BigIntStats, type Stats, lstatSync, rmSync, statSync } from 'node:fs';

/** Milliseconds between checks of SQLite's own files. The store's file is checked each time, which takes 2 µs. */
const INTERVAL_MS = 50;

/** The part that is gone: the file itself, all its content, its log, or the memory that processes share about the log. */
export type Gone = 'file' | 'content' | 'log' | 'memory';

/** The state of an open store's files. */
export interface Findings {
  /** The file that was deleted, replaced or emptied; nobody would find what is written now. */
  readonly gone: Gone | undefined;
  /** Bytes in the write-ahead log; undefined if there is none or it was not checked this time. */
  readonly log: number | undefined;
}

/** Checks whether the opened files are still the ones in their places. */
export class FileWatch {
  readonly #file: string;
  readonly #inodes: readonly (number | undefined)[];
  /** Tells this file from every other one, even from one that reused its inode number. */
  readonly identity: string;
  #next = 0;

  /** Create it as soon as SQLite has opened all the files. */
  constructor(file: string) {
    this.#file = file;
    this.identity = identityOf(statSync(file, { throwIfNoEntry: false, bigint: true }));
    this.#inodes = [file, `${file}-wal`, `${file}-shm`].map(inodeOf);
  }

  /** True while the store's own file is in its place and not empty. Otherwise nobody would find what is written. */
  get isThere(): boolean {
    return this.#lost() === undefined;
  }

  /** @param isLast true for the last check, which skips the interval */
  look(isLast = false): Findings {
    const lost = this.#lost();
    if (lost !== undefined) return { gone: lost, log: undefined };
    const [, log, memory] = this.#inodes;
    const now = performance.now();
    // A store without a write-ahead log has a rollback journal, which comes and goes.
    if (log === undefined || memory === undefined || (now < this.#next && !isLast)) return { gone: undefined, log: undefined };
    this.#next = now + INTERVAL_MS;
    const found = statSync(`${this.#file}-wal`, { throwIfNoEntry: false });
    const isMemoryThere = inodeOf(`${this.#file}-shm`) === memory;
    return { gone: isMemoryThere ? (found?.ino === log ? undefined : 'log') : 'memory', log: found?.size };
  }

  #lost(): 'file' | 'content' | undefined {
    const [file] = this.#inodes;
    const found = placed(this.#file);
    if (file === undefined || found?.ino !== file) return 'file';
    return found.size > 0 ? undefined : 'content';
  }

  /** Removes a file that is still empty, so that everybody sees its successor as another file. @returns whether it was empty */
  removeEmpty(): boolean {
    if (this.#lost() !== 'content') return false;
    rmSync(this.#file, { force: true });
    return true;
  }

  /**
   * Removes the log and shared memory of a file that is gone; SQLite would take them for those of its successor. Call it while all of them
   * are open: the inode number of a closed file is soon reused.
   */
  removeRest(): void {
    const [, ...inodes] = this.#inodes;
    for (const [at, path] of [`${this.#file}-wal`, `${this.#file}-shm`].entries()) {
      if (inodes[at] !== undefined && inodeOf(path) === inodes[at]) rmSync(path, { force: true });
    }
  }
}

/** Returns the bytes in the write-ahead log of a store; 0 if there is none. */
export function logSize(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function identityOf(found: BigIntStats | undefined): string {
  return found === undefined ? '' : `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

function inodeOf(path: string): number | undefined {
  return placed(path)?.ino;
}

/** Reads the entry at a path without following links: neither SQLite nor a reader follows one here. */
function placed(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A file took the place of its folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
