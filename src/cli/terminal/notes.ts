import { createConsola, type ConsolaReporter, LogLevels } from 'consola/core';

/** Each line begins as all of ours do; what is an error has a layout of its own, with its place and what to do. */
const PLAIN: ConsolaReporter = {
  log({ type, args }) {
    const text = args.join(' ');
    process.stderr.write(type === 'error' ? text : `clawai: ${text}\n`);
  },
};

/** The log for people; it shows repeated lines as well. */
const people = createConsola({ level: LogLevels.info, reporters: [PLAIN], throttle: Number.NEGATIVE_INFINITY });

/** Milliseconds before progress is shown, and between two changes of it. */
const PATIENCE = { first: 1000, next: 250 } as const;

/** `--quiet`, which holds for the whole process. */
export function beQuiet(): void {
  people.level = LogLevels.log;
}

/** Tells whether checks are to print only what is wrong. */
export function isQuiet(): boolean {
  return people.level < LogLevels.info;
}

/** Tells a person on stderr what is no part of the answer, such as that there is more; `--quiet` leaves it out. One or more lines without an end. */
export function note(text: string): void {
  people.info(text);
}

/** Tells a person on stderr what they have to know, with `--quiet` too. One or more lines without an end. */
export function warn(text: string): void {
  people.warn(text);
}

/** Prints an error on stderr, as errors.ts formats it. */
export function printError(formatted: string): void {
  if (formatted !== '') people.error(formatted);
}

/**
 * Tells on stderr how far something is that takes longer than a second: one line that changes and goes away. Only on a terminal, since
 * nobody waits elsewhere.
 */
export class Progress {
  readonly #things: string;
  readonly #total: number | undefined;
  #next = performance.now() + PATIENCE.first;
  #width = 0;

  /** @param things such as `events` @param total undefined where nobody knows */
  constructor(things: string, total?: number) {
    this.#things = things;
    this.#total = total;
  }

  /** Costs so little that it may be called for every hundred things. */
  show(count: number): void {
    const of = this.#total === undefined ? '' : ` of ${this.#total.toLocaleString('en')}`;
    this.#draw(() => `${count.toLocaleString('en')}${of} ${this.#things}`);
  }

  /** Tells for how long something has been waited for. */
  showSeconds(seconds: number): void {
    this.#draw(() => `${this.#things}, ${seconds} s`);
  }

  /** Takes the line away; to be called before anything else is printed. */
  end(): void {
    if (this.#width > 0) process.stderr.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }

  #draw(text: () => string): void {
    const now = performance.now();
    if (now < this.#next || isQuiet() || !process.stderr.isTTY) return;
    const most = (process.stderr.columns || 80) - 1;
    const line = `clawai: ${text()}`.slice(0, most);
    process.stderr.write(`\r${line.padEnd(this.#width)}`);
    this.#width = line.length;
    this.#next = now + PATIENCE.next;
  }
}

/** Waits for something with a line that tells how long, where that is more than a second. @param what is done, as in `asking the servers` */
export async function withProgress<T>(what: string, work: Promise<T>): Promise<T> {
  const progress = new Progress(what);
  const started = performance.now();
  const timer = setInterval(() => progress.showSeconds(Math.round((performance.now() - started) / 1000)), PATIENCE.next);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    progress.end();
  }
}

/** Gives the same things one by one, with progress. @param total undefined where nobody knows */
export function* counted<T>(things: Iterable<T>, what: string, total?: number): Generator<T, void, void> {
  const progress = new Progress(what, total);
  let count = 0;
  for (const thing of things) {
    yield thing;
    count += 1;
    if (count % 100 === 0) progress.show(count);
  }
  progress.end();
}
