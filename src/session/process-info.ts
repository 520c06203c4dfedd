/** The system's data about one process. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  /** Start time, on a system clock that all its processes share. */
  readonly started: number;
  /** The process name; programs may change it. */
  readonly name: string;
  /** The beginning of its command line. */
  readonly words: readonly string[];
  /** Identifies its standard input, if the system reports it: equal for processes that share it. */
  readonly stdin: string | undefined;
}

/** Returns undefined if there is no such process, or it can't be inspected. Never throws. */
export type ReadProcess = (pid: number) => ProcessInfo | undefined;
