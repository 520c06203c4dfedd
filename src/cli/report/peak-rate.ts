const SECOND = 1000;
const SECONDS = 60;

/** The most that happened within a minute, to the second, of times that come roughly in order. */
export class PeakRate {
  /** What happened in each second of the last minute, by its place in the ring. */
  readonly #ring = Array.from({ length: SECONDS }, () => 0);
  #last: number | undefined;
  #sum = 0;
  #peak = 0;

  /** @param time milliseconds since the epoch; what comes late counts as of the newest second */
  add(time: number): void {
    const second = Math.floor(time / SECOND);
    this.#last ??= second;
    // What is further ahead than the ring is long empties it.
    const passed = Math.min(Math.max(0, second - this.#last), SECONDS);
    for (let i = 1; i <= passed; i++) this.#clear(this.#last + i);
    this.#last = Math.max(this.#last, second);
    const at = placeOf(this.#last);
    this.#ring[at] = (this.#ring[at] ?? 0) + 1;
    this.#sum += 1;
    this.#peak = Math.max(this.#peak, this.#sum);
  }

  get peak(): number {
    return this.#peak;
  }

  #clear(second: number): void {
    const at = placeOf(second);
    this.#sum -= this.#ring[at] ?? 0;
    this.#ring[at] = 0;
  }
}

function placeOf(second: number): number {
  return ((second % SECONDS) + SECONDS) % SECONDS;
}
