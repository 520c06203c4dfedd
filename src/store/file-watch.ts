import { type BigIntStats, type Stats, lstatSync, rmSync, statSync } from 'node:fs';

/** Milliseconds between looks at SQLite's own files; the store's is looked at each time, which takes 2 µs. */
const INTERVAL_MS = 50;

/** The file itself, all that was in it, its log, or what processes share about the log. */
export type Gone = 'file' | 'content' | 'log' | 'memory';

/** What became of an open store's files. */
export interface Findings {
  /** Which of them was deleted, replaced or emptied: what is written now, nobody finds. */
  readonly gone: Gone | undefined;
  /** Bytes in the write-ahead log; undefined where this was no time to look, or there is none. */
  readonly log: number | undefined;
}

/** Sees whether the files that were opened are still those that lie there. */
export class FileWatch {
  readonly #file: string;
  readonly #inodes: readonly (number | undefined)[];
  /** Tells this file from every other one, also from one that got its number after it was deleted. */
  readonly identity: string;
  #next = 0;

  /** To be made as soon as SQLite has opened all of them. */
  constructor(file: string) {
    this.#file = file;
    this.identity = identityOf(statSync(file, { throwIfNoEntry: false, bigint: true }));
    this.#inodes = [file, `${file}-wal`, `${file}-shm`].map(inodeOf);
  }

  /** Is the store's own file still in its place, with something in it? What is written elsewhere, or beside an empty one, nobody finds. */
  get isThere(): boolean {
    return this.#lost() === undefined;
  }

  /** @param isLast what is not noticed now never will be */
  look(isLast = false): Findings {
    const lost = this.#lost();
    if (lost !== undefined) return { gone: lost, log: undefined };
    const [, log, memory] = this.#inodes;
    const now = performance.now();
    // Without a log there is a rollback journal, which comes and goes.
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

  /** Removes a file that is still empty, so that the one that comes there is another to everybody. @returns whether it was */
  removeEmpty(): boolean {
    if (this.#lost() !== 'content') return false;
    rmSync(this.#file, { force: true });
    return true;
  }

  /**
   * Removes what a file that is gone has left beside its place, which SQLite would take for that of the one that comes there. To be called while all of
   * them are open: the number of a file that nobody has is soon another one's.
   */
  removeRest(): void {
    const [, ...inodes] = this.#inodes;
    for (const [at, path] of [`${this.#file}-wal`, `${this.#file}-shm`].entries()) {
      if (inodes[at] !== undefined && inodeOf(path) === inodes[at]) rmSync(path, { force: true });
    }
  }
}

/** Bytes in the write-ahead log of the store in this file; 0 where there is none. */
export function logSize(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function identityOf(found: BigIntStats | undefined): string {
  return found === undefined ? '' : `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

function inodeOf(path: string): number | undefined {
  return placed(path)?.ino;
}

/** What lies at a path itself: SQLite opens no link, and neither does whoever reads. */
function placed(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A file has come in the place of its folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
