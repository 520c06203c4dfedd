import { readFileSync } from 'node:fs';

/** Times in milliseconds. A whole request or response has no limit: streams last for hours. */
export interface ListenerLimits {
  /** Until a request's headers have arrived. */
  readonly headersTimeout: number;
  /**
   * Between two bytes of a body; the whole body gets four times as long, plus a second per kilobyte. On timeout the answer is 408, if none
   * has begun, and the reader of the body sees it cut off.
   */
  readonly bodyTimeout: number;
  /** Between two requests on a connection. */
  readonly idleTimeout: number;
  /** Most connections; beyond that, a connection that has not requested a URL of ours is closed, or an idle one. */
  readonly maxConnections: number;
}

const MOST_CONNECTIONS = 4096;

/** Files open besides connections: the store, the program, its streams. */
const OTHER_FILES = 64;

/**
 * Returns the default limits. Connections are limited by the system's file limit, since each needs a second one to its server. Beyond the
 * file limit the system would drop anybody, known or not.
 */
export function usualLimits(): ListenerLimits {
  const connections = Math.max(16, Math.floor((mostFiles() - OTHER_FILES) / 2));
  return {
    headersTimeout: 15_000,
    bodyTimeout: 30_000,
    idleTimeout: 65_000,
    maxConnections: Math.min(MOST_CONNECTIONS, connections),
  };
}

/** Returns the most files that this process may open, if the system tells it in a file. */
function mostFiles(): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY;
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    // Without /proc the limit is unknown.
    return Number.POSITIVE_INFINITY;
  }
}
