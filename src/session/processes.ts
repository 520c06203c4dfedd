import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';
import type * as ChildProcess from 'node:child_process';
import { promisify } from 'node:util';

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

/** Bytes read of each file: the needed part is at the beginning, and a command line may have megabytes. */
const MOST_BYTES = 4096;
const MOST_VARIABLE_BYTES = 256 * 1024;

/** Reads a process from /proc. */
export function readLinuxProcess(pid: number): ProcessInfo | undefined {
  const stat = parseStat(readStart(`/proc/${pid}/stat`));
  if (stat === undefined) return undefined;
  const words = readStart(`/proc/${pid}/cmdline`).split('\0');
  return { pid, ...stat, words, stdin: readStdin(pid) };
}

/**
 * Parses name, parent and start (in clock ticks since boot) from `/proc/PID/stat`, fields 2, 4 and 22 of proc_pid_stat(5). The name is in
 * parentheses and may itself contain parentheses, spaces and line feeds; later fields contain none.
 */
export function parseStat(text: string): Pick<ProcessInfo, 'name' | 'parent' | 'started'> | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open === -1 || close < open) return undefined;
  const fields = text.slice(close + 2).split(' ');
  const [parent, started] = [Number(fields[1]), Number(fields[19])];
  if (!Number.isSafeInteger(parent) || !Number.isFinite(started)) return undefined;
  return { name: text.slice(open + 1, close), parent, started };
}

/** Distinguishes boots of the machine, and containers in which a process may have the same pid. */
export function readLinuxScope(): string {
  return `${readStart('/proc/sys/kernel/random/boot_id').trim()} ${tryLink('/proc/self/ns/pid') ?? ''}`;
}

/** Reads the variables that a process was started with; none if they are unreadable, and only the first of very many. */
export function readLinuxVariables(pid: number): NodeJS.ProcessEnv {
  const words = readStart(`/proc/${pid}/environ`, MOST_VARIABLE_BYTES).split('\0');
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
}

/** Reads the pipe or socket of a process's standard input; undefined for anything else, which many processes may share. */
function readStdin(pid: number | 'self'): string | undefined {
  const target = tryLink(`/proc/${pid}/fd/0`);
  return target !== undefined && /^(?:pipe|socket):/.test(target) ? target : undefined;
}

function readStart(file: string, most = MOST_BYTES): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const bytes = Buffer.alloc(most);
    let length = 0;
    for (let read = -1; read !== 0 && length < most; length += read) read = readSync(descriptor, bytes, { offset: length });
    return bytes.toString('utf8', 0, length);
  } catch {
    // The process has ended, or belongs to somebody else, or /proc is hidden.
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function tryLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // The process has ended, or its link may not be read.
    return undefined;
  }
}

/** Milliseconds that `ps` may take. It blocks everything meanwhile, so a slower machine does without. */
const PATIENCE = 200;
const LONG_PATIENCE = 1500;

const MOST_BYTES_OF_PS = 4 * 1024 * 1024;

/** Matches pid, parent, start like `Sun Nov 22 04:30:55 2026`, and command line. */
const LINE = /^ *(\d+) +(\d+) +(\w{3} +\w{3} +\d+ +[\d:]+ +\d{4}) (.*)$/;

const ARGUMENTS = ['-x', '-ww', '-o', 'pid=,ppid=,lstart=,command='];
const OPTIONS = {
  encoding: 'utf8',
  env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  maxBuffer: MOST_BYTES_OF_PS,
} as const;

/** Loaded where it is needed, which is nowhere on Linux: it takes some milliseconds of each start. */
function loadChildProcess(): typeof ChildProcess {
  return process.getBuiltinModule('node:child_process');
}

/** Reads the user's processes by one run of `ps`, for systems without /proc. If it fails, there are none. */
export function readByPs(): ReadProcess {
  try {
    return toReader(
      loadChildProcess().execFileSync('ps', ARGUMENTS, { ...OPTIONS, timeout: PATIENCE, stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    // `ps` is missing or too slow: the caller only has the parent's pid.
    return () => undefined;
  }
}

/** Like `readByPs`, without blocking. */
export async function readByPsLater(): Promise<ReadProcess> {
  try {
    const { execFile } = loadChildProcess();
    return toReader((await promisify(execFile)('ps', ARGUMENTS, { ...OPTIONS, timeout: LONG_PATIENCE })).stdout);
  } catch {
    // `ps` is missing or too slow: no process can be seen.
    return () => undefined;
  }
}

function toReader(text: string): ReadProcess {
  const processes = new Map<number, ProcessInfo>();
  for (const line of text.split('\n')) {
    const info = parsePsLine(line);
    if (info !== undefined) processes.set(info.pid, info);
  }
  return (pid) => processes.get(pid);
}

/** Parses a line of `ps -o pid=,ppid=,lstart=,command=`. The command line comes without quotes, so its words are a guess. */
export function parsePsLine(line: string): ProcessInfo | undefined {
  const [, pid, parent, start = '', command = ''] = LINE.exec(line) ?? [];
  const started = Date.parse(`${start} UTC`);
  if (pid === undefined || Number.isNaN(started)) return undefined;
  const words = command.split(' ');
  return { pid: Number(pid), parent: Number(parent), started, name: '', words, stdin: undefined };
}
