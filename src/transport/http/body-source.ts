import type { Readable } from 'node:stream';
import { type BodyTaker, UpstreamResponse } from './upstream-response.ts';

/** A body that is delivered in chunks, and can be paused. */
export interface BodySource {
  /** Call it once. */
  take(taker: BodyTaker): void;
  hold(): void;
  release(): void;
  /** Aborts the rest of the body. */
  destroy(): void;
}

/** Reads a body, bypassing Node's stream machinery if it comes straight from an upstream connection. */
export function toBodySource(readable: Readable): BodySource {
  if (readable instanceof UpstreamResponse) {
    return {
      take: (taker) => readable.takeBody(taker),
      hold: () => readable.hold(),
      release: () => readable.release(),
      destroy: () => void readable.destroy(),
    };
  }
  return {
    take: ({ data, end, fail }) => {
      let hasEnded = false;
      readable.on('data', data);
      readable.once('end', () => {
        hasEnded = true;
        end();
      });
      readable.once('error', fail);
      readable.once('close', () => {
        if (!hasEnded) fail(new Error('it was cut off'));
      });
    },
    hold: () => void readable.pause(),
    release: () => void readable.resume(),
    destroy: () => void readable.destroy(),
  };
}
