import { Readable } from 'node:stream';
import { LineSplitter, type LineVisitor } from '../../protocol/ndjson.ts';

interface TappedOutputOptions {
  readonly maxLine: number;
  /** Gets each line with its line feed, in memory of its own, and puts in its place what becomes of it. */
  readonly take: (line: Buffer) => void;
  /** Called once, when all was taken. The stream ends behind what this puts. */
  readonly onEnd: () => void;
}

/** The output of a server, read line by line until `passAll`, and from then on passed as it comes. */
export class TappedOutput {
  readonly stream: Readable;
  readonly #source: Readable;
  readonly #take: (line: Buffer) => void;
  #lines: LineSplitter | undefined;

  constructor(source: Readable, { maxLine, take, onEnd }: TappedOutputOptions) {
    this.#source = source;
    this.#take = take;
    this.#lines = new LineSplitter(maxLine, ({ length, head, tail }) => {
      // The next reader refuses it for its length, and knows it by its ends.
      const gap = Math.min(length, maxLine + 1) - head.length - tail.length;
      this.put(Buffer.concat([head, Buffer.alloc(Math.max(gap, 0), ' '), tail, Buffer.from('\n')]));
    });
    this.stream = new Readable({ read: () => void source.resume() });
    source.on('data', (chunk: Buffer) => this.#push(chunk));
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.#lines?.end(this.#visit);
      onEnd();
      this.stream.push(null);
    };
    for (const event of ['end', 'close', 'error']) source.once(event, end);
  }

  /** Puts bytes into the stream. */
  put(bytes: Buffer): void {
    if (!this.stream.push(bytes)) this.#source.pause();
  }

  passAll(): void {
    const lines = this.#lines;
    this.#lines = undefined;
    lines?.end(this.#visit);
  }

  #push(chunk: Buffer): void {
    const lines = this.#lines;
    if (lines === undefined) this.put(chunk);
    else {
      lines.push(chunk, this.#visit);
      // The beginning of a line that it has kept goes on as it is, too.
      if (this.#lines === undefined) lines.end(this.#visit);
    }
  }

  readonly #visit: LineVisitor = (bytes, start, _end, next, release) => {
    const line = Buffer.from(bytes.subarray(start, next));
    release?.();
    if (this.#lines === undefined) this.put(line);
    else this.#take(line);
  };
}
