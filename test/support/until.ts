import { setTimeout } from 'node:timers/promises';

/** Milliseconds that anything awaited here may take, and between two looks. */
const PATIENCE = 30_000;
const PAUSE = 20;

/** Resolves when something has become true; rejects with what was waited for when it does not for long. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const ending = performance.now() + PATIENCE;
  while (!(await isSo())) {
    if (performance.now() > ending) throw new Error(`waited in vain: ${what}`);
    await setTimeout(PAUSE);
  }
}
