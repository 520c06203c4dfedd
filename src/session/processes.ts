import { readLinuxProcess, readLinuxScope, readStdin } from './linux-processes.ts';
import type { ProcessInfo, ReadProcess } from './process-info.ts';
import { readByPs } from './ps-processes.ts';

/** The processes of this machine, as far as they may be looked at. */
export interface Processes {
  /** Each process is looked at once. */
  readonly readProcess: ReadProcess;
  /** In which pids are unique, and `started` is one clock; empty where the system has no word for it. */
  readonly scope: string;
  /** Our own standard input, as `ProcessInfo` has it. */
  readonly stdin: string | undefined;
}

/** Undefined on Windows, which tells nothing about processes without code of its own. Elsewhere than on Linux it takes a call of `ps`. */
export function lookAtProcesses(platform: NodeJS.Platform = process.platform): Processes | undefined {
  if (platform === 'win32') return undefined;
  if (platform !== 'linux') return { readProcess: readByPs(), scope: '', stdin: undefined };
  const seen = new Map<number, ProcessInfo | undefined>();
  const readProcess = (pid: number): ProcessInfo | undefined => {
    if (!seen.has(pid)) seen.set(pid, readLinuxProcess(pid));
    return seen.get(pid);
  };
  return { readProcess, scope: readLinuxScope(), stdin: readStdin('self') };
}
