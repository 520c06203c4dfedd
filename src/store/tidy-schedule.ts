import { Worker } from 'node:worker_threads';
import type { Retention } from './tidy.ts';

/** When the store is tidied: `first` after a process's first event; early where the log has `long` bytes; earlier where it has `huge`. */
const LOG_BYTES = { long: 4 * 1024 * 1024, huge: 32 * 1024 * 1024 } as const;
const FIRST_AFTER_MS = 30_000;
const INTERVAL_MS = { long: 180_000, huge: 2000 } as const;

/**
 * The thread gets nothing of ours: not the flags that this process was started with (such as code to evaluate), and above all not its
 * stdout, on which only protocol messages may be.
 */
const THREAD = { name: 'clawai tidy', execArgv: [], stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: 64 } };

/** What the tidying thread is told. */
export interface TidyTask {
  readonly file: string;
  readonly retention: Retention | undefined;
}

/**
 * Starts the thread that tidies the store, now and then. Neither it nor the wait for it keeps the process running, and its end at any
 * moment does no harm: all it does is done in small transactions.
 */
export class TidySchedule {
  readonly #task: TidyTask;
  #timer: NodeJS.Timeout | undefined;
  #worker: Worker | undefined;
  #started = Number.NEGATIVE_INFINITY;
  #hasEvent = false;
  #isClosed = false;

  constructor(file: string, retention: Retention | undefined) {
    this.#task = { file, retention };
  }

  noteEvent(): void {
    if (this.#hasEvent) return;
    this.#hasEvent = true;
    this.#timer = setTimeout(() => this.#start(), FIRST_AFTER_MS).unref();
  }

  /** @param bytes how long the log is now */
  noteLogSize(bytes: number): void {
    if (bytes < LOG_BYTES.long || this.#worker !== undefined) return;
    const interval = bytes < LOG_BYTES.huge ? INTERVAL_MS.long : INTERVAL_MS.huge;
    if (performance.now() - this.#started >= interval) this.#start();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    void this.#worker?.terminate();
  }

  #start(): void {
    if (this.#isClosed || this.#worker !== undefined) return;
    this.#started = performance.now();
    const forget = (): void => {
      this.#worker = undefined;
    };
    try {
      // Of what is wrong with the store, whoever writes is told too.
      this.#worker = new Worker(workerFile(), { ...THREAD, workerData: this.#task }).on('error', forget).on('exit', forget);
      this.#worker.unref();
    } catch {
      // No thread to be had: the store grows until there is one. What was decided stands.
      forget();
    }
  }
}

/** The thread's own entry: beside this file in the source, beside the bundle's files in the bundle. */
function workerFile(): URL {
  const name = import.meta.url.endsWith('.ts') ? 'tidy-worker.ts' : 'tidy-worker.mjs';
  return new URL(`./${name}`, import.meta.url);
}
