import type { Readable } from 'node:stream';
import { type BodyTaker, UpstreamResponse } from './upstream-response.ts';

/** A body that is taken as it comes, and can be held back. */
export interface BodySource {
  /** To be called once. */
  take(taker: BodyTaker): void;
  hold(): void;
  release(): void;
  /** Gives up what has not come yet. */
  destroy(): void;
}

/** Takes a body past the machinery of streams, where it comes from a connection as it is. */
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
