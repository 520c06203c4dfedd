import type { ListPage } from './list-comparison.ts';

/** Most pages and bytes that wait to be compared; when there are more, they are compared first, or wait for the store themselves. */
const MOST_WAITING = 64;
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

export interface WaitingPage extends ListPage {
  /** The list's kind and the page's cursor. */
  readonly place: string;
  /** Bytes of its result. */
  readonly size: number;
}

/** Pages that have gone on and are still to be compared, in order of arrival: the first sight is what is trusted. */
export class WaitingPages {
  #pages: WaitingPage[] = [];

  get size(): number {
    return this.#pages.length;
  }

  /** The page that came first. */
  get first(): WaitingPage | undefined {
    return this.#pages[0];
  }

  /** A single page may be of any size. */
  hasRoom({ size }: WaitingPage): boolean {
    const bytes = this.#pages.reduce((sum, page) => sum + page.size, 0);
    return this.#pages.length === 0 || (this.#pages.length < MOST_WAITING && bytes + size <= MOST_WAITING_BYTES);
  }

  add(page: WaitingPage): void {
    this.#pages.push(page);
  }

  /** Removes the first page, which was compared. */
  drop(): void {
    this.#pages.shift();
  }

  /** Puts pages back in front of all others, to be compared again. */
  putBack(pages: readonly WaitingPage[]): void {
    this.#pages.unshift(...pages);
  }
}
