import type { Clock } from '../gate/ports.ts';

/** The machine's clocks. */
export const machineClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now() * 1000,
};
