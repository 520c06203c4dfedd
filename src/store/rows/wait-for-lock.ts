import { isLocked } from '../write-fault.ts';

/** Milliseconds that waiting for another process may block everything else in this one, and of the pauses in between. */
const MOST = 10;
const PAUSE = { first: 0.05, longest: 0.4 } as const;

/** Nobody wakes who waits for it: it is a pause that costs no processor. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/**
 * Takes a lock that other processes hold for less than a millisecond. SQLite's own waiting sleeps for one, two and five milliseconds in turn, so
 * that whoever comes at the wrong time would wait several times as long as the other one works.
 *
 * @param begin takes it, or throws SQLite's error; the database has a busy timeout of 0
 * @throws what `begin` threw last, once it has waited long enough
 */
export function waitForLock(begin: () => void): void {
  const started = performance.now();
  for (let pause: number = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.longest)) {
    try {
      begin();
      return;
    } catch (thrown) {
      if (!isLocked(thrown) || performance.now() - started >= MOST) throw thrown;
    }
    Atomics.wait(NEVER, 0, 0, pause);
  }
}
