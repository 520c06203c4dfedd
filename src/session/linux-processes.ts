import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';
import type { ProcessInfo } from './process-info.ts';

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
export function readStdin(pid: number | 'self'): string | undefined {
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
