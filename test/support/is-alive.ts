import { readFileSync } from 'node:fs';

/** Does the process still run? One that has ended and was not waited for (in a container nobody may do that) does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    // ESRCH: there is no such process.
    return false;
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // It has gone meanwhile.
    return true;
  }
}
