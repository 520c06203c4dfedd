import { type ChildProcess, spawn } from 'node:child_process';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Retention } from './tidy.ts';

/** When the store is tidied: `first` some time after a process's first event; early where the log has `long` bytes; earlier where it has `huge`. */
const LOG_BYTES = { long: 4 * 1024 * 1024, huge: 32 * 1024 * 1024 } as const;
const FIRST_AFTER_MS = 30_000;

/** In so many milliseconds it is done once for the same reason, by whichever process claims it: several at once would help nobody. */
const INTERVAL_MS = { first: 60_000, long: 180_000, huge: 2000 } as const;
export type TidyReason = keyof typeof INTERVAL_MS;

/** Starting a process takes some milliseconds, and the call that showed the need for it is answered first. */
const SOON_MS = 20;

/** Milliseconds that reading a huge log is left to the tidying process; it takes one per two megabytes or so. */
const READING_MS = 1000;

/** Megabytes of heap: SQLite's own memory is not in it, and rows are looked at a few at a time. */
const FLAGS = ['--max-old-space-size=64'];

/** What the tidying process is told, as JSON. */
export interface TidyTask {
  readonly file: string;
  readonly retention: Retention | undefined;
}

/**
 * Starts the process that tidies the store, now and then. It is no thread of ours, since a thread that waits for the disk would
 * keep us from ending. It goes on when we end, for some seconds at most; its end at any moment does no harm, as all it does is done
 * in small transactions.
 */
export class TidySchedule {
  readonly #task: TidyTask;
  readonly #claim: (reason: TidyReason, milliseconds: number) => boolean;
  /** When this process last tried to, or was to. */
  readonly #tried = new Map<TidyReason, number>();
  #soon: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #tidier: ChildProcess | undefined;
  #hasRead = false;
  #started = Number.NEGATIVE_INFINITY;
  #hasEvent = false;

  /** @param claim true where no process has claimed that for so long; then this one has. Never throws */
  constructor({ file, retention }: TidyTask, claim: (reason: TidyReason, milliseconds: number) => boolean) {
    this.#task = { file, retention };
    this.#claim = claim;
  }

  noteEvent(): void {
    if (this.#hasEvent) return;
    this.#hasEvent = true;
    this.#timer = setTimeout(() => this.#startIfMine('first'), FIRST_AFTER_MS).unref();
  }

  /** @param bytes how long the log is now */
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
   * Whoever opens the store first reads all of its log. True while that is left to the tidying process, which is started for it where
   * that would take long.
   *
   * @param bytes how long the log is now
   */
  isReading(bytes: number): boolean {
    if (bytes < LOG_BYTES.huge) return false;
    // Nothing can be claimed in a store that is not open.
    if (performance.now() - this.#started >= INTERVAL_MS.huge) this.#start();
    return this.#tidier !== undefined && !this.#hasRead && performance.now() - this.#started < READING_MS;
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
    // Nothing of ours but the environment, without what would have Node load or print something; above all not our stdout.
    const { NODE_OPTIONS: _options, ...env } = process.env;
    try {
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
      // Of what is wrong with the store, whoever writes is told too.
      tidier.once('error', forget).once('exit', forget);
      tidier.once('message', () => (this.#hasRead = true));
      tidier.unref();
      tidier.channel?.unref();
      this.#tidier = tidier;
    } catch {
      // No process to be had: the store grows until there is one. What was decided stands.
    }
  }
}

/** The process's own entry: beside this file in the source, beside the bundle's files in the bundle. */
function workerFile(): string {
  const name = import.meta.url.endsWith('.ts') ? 'tidy-worker.ts' : 'tidy-worker.mjs';
  return fileURLToPath(new URL(`./${name}`, import.meta.url));
}
