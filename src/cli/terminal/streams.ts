import { setImmediate } from 'node:timers/promises';
import type { Writable } from 'node:stream';

/** Output that may be much, to a reader who may be slow or leave early (`| head`). */
export interface Output {
  /** False as soon as nobody reads any more; then there is no point in going on. */
  readonly isOpen: boolean;
  /** Resolves when more may be written, or nobody reads any more. */
  write(text: string): Promise<void>;
}

/** An output to a stream whose errors somebody else listens to, as main.ts does to those of stdout. */
export function createOutput(stream: Writable): Output {
  return {
    get isOpen() {
      return !stream.destroyed && stream.writable;
    },
    async write(text) {
      if (stream.destroyed || text === '') return;
      const isTaken = stream.write(text);
      // A closed pipe is only told a turn later.
      await setImmediate();
      if (isTaken || stream.destroyed || !stream.writableNeedDrain) return;
      await new Promise<void>((settle) => {
        const end = (): void => {
          stream.off('drain', end).off('close', end);
          settle();
        };
        stream.on('drain', end).on('close', end);
      });
    },
  };
}
