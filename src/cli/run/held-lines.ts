/** Lines that are kept; a fault that comes again and again is one line. */
const MOST = 50;

/**
 * Lines for the person who started an agent, while the agent has the terminal: what it draws there must not be written over. Where nothing is
 * drawn, each is said at once.
 */
export class HeldLines {
  readonly #say: (line: string) => void;
  readonly #isDrawn: boolean;
  readonly #lines = new Set<string>();
  #isHolding = false;
  #dropped = 0;

  /** @param isDrawn the lines would go to a terminal */
  constructor(say: (line: string) => void, isDrawn: boolean) {
    this.#say = say;
    this.#isDrawn = isDrawn;
  }

  readonly say = (line: string): void => {
    if (!this.#isHolding) this.#say(line);
    else if (this.#lines.size < MOST) this.#lines.add(line);
    else if (!this.#lines.has(line)) this.#dropped++;
  };

  /** The agent starts. */
  hold(): void {
    this.#isHolding = this.#isDrawn;
  }

  /** It has ended. */
  release(): void {
    this.#isHolding = false;
    for (const line of this.#lines) this.#say(line);
    if (this.#dropped > 0) this.#say(`${this.#dropped} more ${this.#dropped === 1 ? 'line' : 'lines'} left out`);
    this.#lines.clear();
    this.#dropped = 0;
  }
}
