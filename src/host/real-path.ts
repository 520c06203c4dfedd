import { realpathSync } from 'node:fs';

/** The path without links; undefined if it is missing, forbidden, too long, a loop, or contains a NUL: then it leads to nothing. */
export function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Callers ask about paths that need not exist.
    return undefined;
  }
}
