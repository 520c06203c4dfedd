import type { Clock } from '../gate/ports/ports.ts';
import { codeOf } from './disk.ts';

/** The machine's clocks. */
export const machineClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now() * 1000,
};

/** Tells whether a process of that id runs on this machine. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process of another user runs.
    return codeOf(error) === 'EPERM';
  }
}
