import { type BigIntStats, statSync } from 'node:fs';

/** Milliseconds between looks at SQLite's own files; the store's is looked at each time, which takes 2 µs. */
const INTERVAL_MS = 50;

/** The file itself, its log, or what processes share about the log. */
export type Gone = 'file' | 'log' | 'memory';

/** What became of an open store's files. */
export interface Findings {
  /** Which of them was deleted or replaced: what is written now, nobody finds. */
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
    this.#inodes = [file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path, { throwIfNoEntry: false })?.ino);
  }

  look(): Findings {
    const [file, log, memory] = this.#inodes;
    if (file === undefined || inodeOf(this.#file) !== file) return { gone: 'file', log: undefined };
    const now = performance.now();
    // Without a log there is a rollback journal, which comes and goes.
    if (log === undefined || memory === undefined || now < this.#next) return { gone: undefined, log: undefined };
    this.#next = now + INTERVAL_MS;
    const found = statSync(`${this.#file}-wal`, { throwIfNoEntry: false });
    const isMemoryThere = inodeOf(`${this.#file}-shm`) === memory;
    return { gone: isMemoryThere ? (found?.ino === log ? undefined : 'log') : 'memory', log: found?.size };
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
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
