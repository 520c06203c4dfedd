import type { Asker } from '../gate/ports/approval-port.ts';
import { readLinuxProcess, readLinuxScope } from './processes.ts';

/** Returns this process, as one that waits for an answer. */
export function ownAsker(): Asker {
  const { pid, platform } = process;
  const started = platform === 'linux' ? readLinuxProcess(pid)?.started : undefined;
  return { pid, started: started === undefined ? '' : `${started} ${readLinuxScope()}` };
}

/** Tells whether that process has ended. False also if that is unknown, as for a process in another container. */
export function isGone({ pid, started }: Asker): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  if (process.platform !== 'linux' || started === '') return !isRunning(pid);
  const at = started.indexOf(' ');
  const scope = readLinuxScope();
  // A reboot has ended all processes; another container has its own pids.
  if (started.slice(at + 1) !== scope) return bootOf(started.slice(at + 1)) !== bootOf(scope);
  return isRunning(pid) ? String(readLinuxProcess(pid)?.started ?? started.slice(0, at)) !== started.slice(0, at) : true;
}

function bootOf(scope: string): string {
  return scope.split(' ')[0] ?? '';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process of another user runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
