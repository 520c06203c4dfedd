/** What the system says of one process. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  /** When it started, on a clock of the system's own, the same for all its processes. */
  readonly started: number;
  /** The name that it goes by; programs may change it. */
  readonly name: string;
  /** The beginning of its command line. */
  readonly words: readonly string[];
  /** What its standard input is, where the system says so: alike for processes that have the very same one. */
  readonly stdin: string | undefined;
}

/** Undefined where there is no such process, or it may not be looked at. Never throws. */
export type ReadProcess = (pid: number) => ProcessInfo | undefined;
