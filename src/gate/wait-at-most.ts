import { setTimeout } from 'node:timers/promises';

/** Waits for something, and no longer than so many milliseconds. Keeps the process going meanwhile, which nothing else may do at its end. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const late = setTimeout(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
  try {
    await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}
