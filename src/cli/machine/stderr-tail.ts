import type { Stream } from 'node:stream';

/** Characters that are kept; the lines that are shown are fewer. */
const MOST_CHARACTERS = 4000;
const MOST_LINES = 8;

/** The end of what a process prints on its stderr. */
export class StderrTail {
  #text = '';
  readonly #ended: Promise<void>;

  constructor(stream: Stream) {
    this.#ended = new Promise((settle) => stream.once('end', settle));
    stream.on('data', (chunk: Buffer) => {
      this.#text = (this.#text + chunk.toString()).slice(-MOST_CHARACTERS);
    });
  }

  /** The last lines so far that say something, without what could steer a terminal. */
  get lines(): string[] {
    const lines = this.#text.split('\n').map((line) => line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''));
    return lines.filter((line) => line.trim() !== '').slice(-MOST_LINES);
  }

  /** Resolves when nothing can be printed any more, that is, when the process and what it started are gone; or after so many ms. */
  async ended(patience: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const elapsed = new Promise<void>((settle) => {
      timer = setTimeout(settle, patience);
    });
    await Promise.race([this.#ended, elapsed]);
    clearTimeout(timer);
  }
}
