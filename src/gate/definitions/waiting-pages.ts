import type { ListPage } from './list-comparison.ts';

/** Pages that wait to be compared, and their bytes; before there are more, they are compared, or wait for the store themselves. */
const MOST_WAITING = 64;
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

export interface WaitingPage extends ListPage {
  /** Of what, and from where on. */
  readonly place: string;
  /** Bytes of its result. */
  readonly size: number;
}

/** Pages that have gone on and are still to be compared, in the order they came: what was seen first is what is trusted. */
export class WaitingPages {
  #pages: WaitingPage[] = [];

  get size(): number {
    return this.#pages.length;
  }

  /** The one that came first. */
  get first(): WaitingPage | undefined {
    return this.#pages[0];
  }

  /** One page may be of any size. */
  hasRoom({ size }: WaitingPage): boolean {
    const bytes = this.#pages.reduce((sum, page) => sum + page.size, 0);
    return this.#pages.length === 0 || (this.#pages.length < MOST_WAITING && bytes + size <= MOST_WAITING_BYTES);
  }

  add(page: WaitingPage): void {
    this.#pages.push(page);
  }

  /** The first one was compared. */
  drop(): void {
    this.#pages.shift();
  }

  /** These came before all others, and have to be compared again. */
  putBack(pages: readonly WaitingPage[]): void {
    this.#pages.unshift(...pages);
  }
}
