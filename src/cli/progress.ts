/** Milliseconds before anything is shown, and between two looks; without a terminal, between two lines. */
const PATIENCE = { first: 1000, terminal: 250, other: 10_000 } as const;

/** Tells on stderr how far something is that takes long: one line that changes on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #total: number;
  readonly #things: string;
  #next = performance.now() + PATIENCE.first;
  #width = 0;

  constructor(total: number, things: string) {
    this.#total = total;
    this.#things = things;
  }

  /** Cheap enough to be called for every hundred things. */
  show(count: number): void {
    const now = performance.now();
    if (now < this.#next) return;
    const line = `clawai: ${count.toLocaleString('en')} of ${this.#total.toLocaleString('en')} ${this.#things}`;
    const isTerminal = process.stderr.isTTY;
    process.stderr.write(isTerminal ? `\r${line.padEnd(this.#width)}` : `${line}\n`);
    this.#width = isTerminal ? line.length : 0;
    this.#next = now + (isTerminal ? PATIENCE.terminal : PATIENCE.other);
  }

  /** Takes the changing line away. */
  end(): void {
    if (this.#width > 0) process.stderr.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }
}
