import { readFileSync } from 'node:fs';

const FIELDS = { now: 'VmRSS', peak: 'VmHWM' } as const;

/** MiB of memory that a process holds now, or held at most. Linux only. */
export function residentMemory(pid: number, when: keyof typeof FIELDS): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = new RegExp(`^${FIELDS[when]}:\\s*(\\d+) kB`, 'm').exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`no ${FIELDS[when]} in the status of ${pid}`);
  return Number(kibibytes) / 1024;
}
