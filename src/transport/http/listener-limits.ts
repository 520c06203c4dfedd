import { readFileSync } from 'node:fs';

/** Times in milliseconds. There is none for a whole request or response: streams last for hours. */
export interface ListenerLimits {
  /** Until a request's headers are there. */
  readonly headersTimeout: number;
  /**
   * Between two bytes of a body; all of it has four times as long, and a second more with each kilobyte. Then the answer is 408, where none has begun, and
   * whoever reads the body sees it cut off.
   */
  readonly bodyTimeout: number;
  /** Between two requests of a connection. */
  readonly idleTimeout: number;
  /** With one more, one that has shown no URL of ours is closed, or one that is idle. */
  readonly maxConnections: number;
}

const MOST_CONNECTIONS = 4096;

/** Files that are open besides connections: the store, the program, its streams. */
const OTHER_FILES = 64;

/** As many as the system allows where that is less: each asks a server by a connection of its own. Beyond, the system would drop whoever comes, known or not. */
export function usualLimits(): ListenerLimits {
  const connections = Math.max(16, Math.floor((mostFiles() - OTHER_FILES) / 2));
  return {
    headersTimeout: 15_000,
    bodyTimeout: 30_000,
    idleTimeout: 65_000,
    maxConnections: Math.min(MOST_CONNECTIONS, connections),
  };
}

/** How many files this process may have open, where the system says so in a file. */
function mostFiles(): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY;
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    // Where there is no /proc, nobody knows.
    return Number.POSITIVE_INFINITY;
  }
}
