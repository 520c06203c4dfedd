import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessInfo, ReadProcess } from './process-info.ts';

/** Milliseconds that `ps` may take. It blocks everything meanwhile, so a slower machine does without. */
const PATIENCE = 200;
const LONG_PATIENCE = 1500;

const MOST_BYTES = 4 * 1024 * 1024;

/** Matches pid, parent, start like `Sun Nov 22 04:30:55 2026`, and command line. */
const LINE = /^ *(\d+) +(\d+) +(\w{3} +\w{3} +\d+ +[\d:]+ +\d{4}) (.*)$/;

const ARGUMENTS = ['-x', '-ww', '-o', 'pid=,ppid=,lstart=,command='];
const OPTIONS = {
  encoding: 'utf8',
  env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  maxBuffer: MOST_BYTES,
} as const;

/** Reads the user's processes by one run of `ps`, for systems without /proc. If it fails, there are none. */
export function readByPs(): ReadProcess {
  try {
    return toReader(execFileSync('ps', ARGUMENTS, { ...OPTIONS, timeout: PATIENCE, stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    // `ps` is missing or too slow: the caller only has the parent's pid.
    return () => undefined;
  }
}

/** Like `readByPs`, without blocking. */
export async function readByPsLater(): Promise<ReadProcess> {
  try {
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
