import { codeOf } from './disk-error.ts';

/** Is there a process of that id on this machine? */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is running all the same.
    return codeOf(error) === 'EPERM';
  }
}
