import type { ChildProcess } from 'node:child_process';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Retention } from './tidy.ts';

/**
 * Log sizes that trigger tidying: early at `long` bytes, earlier at `huge`. Otherwise a process tidies once, some time after its first
 * event. One that ends before that tidies from `brief` bytes on: if nobody else has the store open, each of its kind reads all of the log.
 */
const LOG_BYTES = { brief: 1024 * 1024, long: 4 * 1024 * 1024, huge: 32 * 1024 * 1024 } as const;
const FIRST_AFTER_MS = 30_000;

/** Milliseconds in which tidying runs once per reason, in whichever process claims it: several at once would help nobody. */
const INTERVAL_MS = { first: 60_000, long: 180_000, huge: 2000 } as const;
export type TidyReason = keyof typeof INTERVAL_MS;

/** Milliseconds before tidying starts: spawning takes some, and the call that showed the need is answered first. */
const SOON_MS = 20;

/** Milliseconds for which reading a huge log is left to the tidying process; it needs about one per two megabytes. */
const READING_MS = 1000;

/** Megabytes of heap: SQLite's own memory does not count, and rows are read a few at a time. */
const FLAGS = ['--max-old-space-size=64'];

/** The tidying process's task, passed as JSON. */
export interface TidyTask {
  readonly file: string;
  readonly retention: Retention | undefined;
}

/**
 * Starts the process that tidies the store, now and then. It is not a thread of ours, since a thread that waits for the disk would keep us
 * from exiting. The process outlives us by some seconds at most. Killing it at any moment does no harm, as it works in small transactions.
 */
export class TidySchedule {
  readonly #task: TidyTask;
  readonly #claim: (reason: TidyReason, milliseconds: number) => boolean;
  /** The time of this process's last attempt, by reason. */
  readonly #tried = new Map<TidyReason, number>();
  #soon: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #tidier: ChildProcess | undefined;
  #hasRead = false;
  #started = Number.NEGATIVE_INFINITY;
  #hasEvent = false;

  /** @param claim true if no process has claimed that reason for so long; then this one has. Never throws */
  constructor({ file, retention }: TidyTask, claim: (reason: TidyReason, milliseconds: number) => boolean) {
    this.#task = { file, retention };
    this.#claim = claim;
  }

  noteEvent(): void {
    if (this.#hasEvent) return;
    this.#hasEvent = true;
    this.#timer = setTimeout(() => this.#startIfMine('first'), FIRST_AFTER_MS).unref();
  }

  /** @param bytes length of the log now */
  noteLogSize(bytes: number): void {
    if (bytes < LOG_BYTES.long || this.#soon !== undefined) return;
    const reason = bytes < LOG_BYTES.huge ? 'long' : 'huge';
    if (performance.now() - (this.#tried.get(reason) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS[reason]) return;
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      this.#startIfMine(reason);
    }, SOON_MS).unref();
  }

  /**
   * Tells whether opening should wait for the tidying process. The first to open the store reads all of its log, so this starts the tidying
   * process to read a huge one.
   *
   * @param bytes length of the log now
   */
  isReading(bytes: number): boolean {
    if (bytes < LOG_BYTES.huge) return false;
    // Nothing can be claimed in a store that is not open.
    if (performance.now() - this.#started >= INTERVAL_MS.huge) this.#start();
    return this.#tidier !== undefined && !this.#hasRead && performance.now() - this.#started < READING_MS;
  }

  /** Starts what is due, in a process that ends before it would be. @param bytes length of the log now */
  startAtEnd(bytes: number): void {
    if (bytes >= LOG_BYTES.brief) this.#startIfMine('long');
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    this.#started = Number.POSITIVE_INFINITY;
  }

  #startIfMine(reason: TidyReason): void {
    this.#tried.set(reason, performance.now());
    if (this.#claim(reason, INTERVAL_MS[reason])) this.#start();
  }

  #start(): void {
    if (this.#tidier !== undefined) return;
    this.#started = performance.now();
    this.#hasRead = false;
    const file = workerFile();
    // Passes on only the environment, without NODE_OPTIONS, which could make Node load or print something. Above all it must not get our
    // stdout.
    const { NODE_OPTIONS: _options, ...env } = process.env;
    try {
      // Loaded here, since most processes start none: it takes some milliseconds.
      const { spawn } = process.getBuiltinModule('node:child_process');
      const tidier = spawn(process.execPath, [...FLAGS, file, JSON.stringify(this.#task)], {
        cwd: parse(file).root,
        env,
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        detached: true,
        windowsHide: true,
      });
      const forget = (): void => {
        this.#tidier = undefined;
      };
      // Writers report any fault of the store themselves.
      tidier.once('error', forget).once('exit', forget);
      tidier.once('message', () => (this.#hasRead = true));
      tidier.unref();
      tidier.channel?.unref();
      this.#tidier = tidier;
    } catch {
      // If no process can be started, the store grows until one can. Decisions stand.
    }
  }
}

/** Returns the process's entry file: beside this file in the source, beside the bundle's files in the bundle. */
function workerFile(): string {
  const name = import.meta.url.endsWith('.ts') ? 'tidy-worker.ts' : 'tidy-worker.mjs';
  return fileURLToPath(new URL(`./${name}`, import.meta.url));
}
