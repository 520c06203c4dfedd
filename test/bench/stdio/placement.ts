import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';
import type { Kind, Peer } from './peer.ts';
import { alternate } from './rounds.ts';

/**
 * Which of two cores the client, the middleman and the server run on. Left alone, Linux keeps a pipe's three processes on one core in
 * some runs and spreads them in others, so that the pipe takes 35 or 75 µs, by chance: two middlemen compare only where they are
 * placed alike.
 */
export interface Placement {
  readonly name: string;
  readonly client: 0 | 1;
  readonly middleman: 0 | 1;
  readonly server: 0 | 1;
}

const PLACEMENTS: readonly Placement[] = [
  { name: 'all on one core', client: 0, middleman: 0, server: 0 },
  { name: 'middleman apart', client: 0, middleman: 1, server: 0 },
  { name: 'server apart', client: 0, middleman: 0, server: 1 },
  { name: 'client apart', client: 1, middleman: 0, server: 0 },
];

/** What one placement of all processes measured, in microseconds. */
export interface Placed {
  /** Undefined where processes can't be placed here, and the scheduler did. */
  readonly placement: Placement | undefined;
  readonly times: Record<Kind, number>;
}

/** Measures in each placement, in alternating rounds; medians. Once, wherever the scheduler puts things, where they can't be placed. */
export async function inEachPlacement(
  peers: Readonly<Record<Kind, Peer>>,
  rounds: number,
  measure: (peer: Peer) => Promise<number>,
): Promise<Placed[]> {
  const once = (kind: Kind): Promise<number> => measure(peers[kind]);
  if (!canPlace()) return [{ placement: undefined, times: await alternate(rounds, once) }];
  const placed: Placed[] = [];
  try {
    for (const placement of PLACEMENTS) {
      place([process.pid], placement.client);
      for (const { pid } of Object.values(peers)) {
        place([pid], placement.middleman);
        place(childrenOf(pid), placement.server);
      }
      await alternate(1, once);
      placed.push({ placement, times: await alternate(rounds, once) });
    }
  } finally {
    for (const pid of [process.pid, ...Object.values(peers).flatMap((peer) => [peer.pid, ...childrenOf(peer.pid)])]) release(pid);
  }
  return placed;
}

/** The one where a middleman costs most by some measure. */
export function worstOf(placed: readonly Placed[], cost: (times: Record<Kind, number>) => number): Placed {
  return placed.reduce((worst, one) => (cost(one.times) > cost(worst.times) ? one : worst));
}

/** The columns of a row. */
export function inMicroseconds({ pipe, clawai }: Record<Kind, number>): Pick<Row, 'pipe' | 'clawai'> {
  return { pipe: `${pipe.toFixed(0)} µs`, clawai: `${clawai.toFixed(0)} µs` };
}

/** Median of so many round trips, in microseconds. */
export async function medianOf(count: number, roundTrip: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await roundTrip());
  return median(times);
}

/** Can processes be given cores here, of which there are two? Also where this one has been given one meanwhile. */
export function canPlace(): boolean {
  if (process.platform !== 'linux' || freeCores().length < 2) return false;
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Cores that this process may use, as `taskset` takes them. */
const ALLOWED = /^Cpus_allowed_list:\s*(\S+)$/m;

function allowedCores(): string {
  return ALLOWED.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
}

const FREE = process.platform === 'linux' ? allowedCores() : '';

function freeCores(): number[] {
  return FREE.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

/** Gives processes, with all their threads, one of the first two cores. */
export function place(pids: readonly number[], which: 0 | 1): void {
  const cores = freeCores();
  for (const pid of pids) setCores(pid, String(cores[which] ?? cores[0]));
}

/** Lets a process run wherever this one could at first. */
export function release(pid: number): void {
  setCores(pid, FREE);
}

function setCores(pid: number, cores: string): void {
  execFileSync('taskset', ['-apc', cores, String(pid)], { stdio: 'ignore' });
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
