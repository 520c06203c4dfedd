import { isInit, isLauncher } from './launcher.ts';
import type { ProcessInfo, ReadProcess } from './process-info.ts';

/** Ancestors that are looked at; nobody nests launchers that deeply. */
const MOST_ANCESTORS = 32;

export interface FindClientOptions {
  /** Pid of our parent. */
  readonly parent: number;
  readonly readProcess: ReadProcess;
  /** Our own standard input, as `ProcessInfo` has it. */
  readonly stdin: string | undefined;
}

/**
 * The process whose run this is: the nearest ancestor that is no launcher. A launcher is known by its name, or because its standard input is
 * the very one that we have: then the client at its other end started it as it started us. Where there are only launchers, the
 * outermost of them.
 *
 * The nearest one counts also where a well-known client is further up, since that may have started many runs of what is between.
 *
 * @returns undefined where nobody is left who could have started us
 */
export function findClient({ parent, readProcess, stdin }: FindClientOptions): ProcessInfo | undefined {
  let found: ProcessInfo | undefined;
  let pid = parent;
  for (let looked = 0; looked < MOST_ANCESTORS; looked++) {
    const ancestor = readProcess(pid);
    if (ancestor === undefined || isInit(ancestor)) break;
    // Younger than its child: the parent has ended, and its pid is that of another process now.
    if (found !== undefined && ancestor.started > found.started) break;
    found = ancestor;
    const isSharing = stdin !== undefined && ancestor.stdin === stdin;
    if (!isSharing && !isLauncher(ancestor)) break;
    pid = ancestor.parent;
  }
  return found;
}
