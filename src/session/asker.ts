import type { Asker } from '../gate/ports/approval-port.ts';
import { readLinuxProcess, readLinuxScope } from './linux-processes.ts';

/** This process, as one that waits for an answer. */
export function ownAsker(): Asker {
  const { pid, platform } = process;
  const started = platform === 'linux' ? readLinuxProcess(pid)?.started : undefined;
  return { pid, started: started === undefined ? '' : `${started} ${readLinuxScope()}` };
}

/** Has that process ended? False also where that can't be told, as of one in another container. */
export function isGone({ pid, started }: Asker): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  if (process.platform !== 'linux' || started === '') return !isRunning(pid);
  const at = started.indexOf(' ');
  const scope = readLinuxScope();
  // Another boot of the machine has ended all; another container has pids of its own.
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
    // Another user's process is running all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
