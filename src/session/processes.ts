import { readLinuxProcess, readLinuxScope, readStdin } from './linux-processes.ts';
import type { ProcessInfo, ReadProcess } from './process-info.ts';
import { readByPs } from './ps-processes.ts';

/** The processes of this machine that can be inspected. */
export interface Processes {
  /** Reads each process once. */
  readonly readProcess: ReadProcess;
  /** The scope in which pids are unique and `started` is one clock; empty if the system has no name for it. */
  readonly scope: string;
  /** This process's standard input, as in `ProcessInfo`. */
  readonly stdin: string | undefined;
}

/** Returns undefined on Windows, where inspecting processes needs native code. Outside Linux it runs `ps`. */
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
