import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { residentMemory, Stage, type Target } from '../bench/http/targets.ts';

const MINUTE = 60_000;
const STREAMS = 200;
const TURNS = 10;
/** MiB. */
const MOST = 15;
/** Milliseconds before the end of a turn at which it is looked at, so that the streams are still open. */
const EARLY = 2500;
/** Milliseconds in which sockets close after their streams. */
const CLOSING = 3000;

/**
 * Streams of HTTP+SSE that stay open, with a ping each second. Prints what `clawai serve` holds, in tenths of the time.
 * @returns the exit code: 1 where the last third holds more than 15 MiB beyond what the first did, or sockets are left after the streams
 */
export async function soakSse(total: number): Promise<0 | 1> {
  const stage = new Stage();
  try {
    await stage.start({ names: ['clawai'], path: 'sse' });
    const target = stage.middleman('clawai');
    const before = openSockets(target);
    const began = performance.now();
    const talking = stage.load.talk({ target, count: STREAMS, measure: total * MINUTE });
    const held: number[] = [];
    for (let turn = 1; turn <= TURNS; turn++) {
      await setTimeout(Math.max(0, began + (turn * total * MINUTE) / TURNS - EARLY - performance.now()));
      const settled = await residentMemory(target);
      held.push(settled);
      const minute = ((turn * total) / TURNS).toFixed(1);
      process.stdout.write(`${minute} min  ${settled.toFixed(0)} MiB, ${openSockets(target)} sockets\n`);
    }
    const answers = await talking;
    await setTimeout(CLOSING);
    const left = openSockets(target) - before;
    const third = Math.floor(TURNS / 3);
    const grown = Math.max(...held.slice(-third)) - Math.max(...held.slice(0, third));
    process.stdout.write(`${answers} pings of ${STREAMS} streams were answered; ${left} sockets are left\n`);
    process.stdout.write(`the last third held ${grown.toFixed(1)} MiB more than the first (at most ${MOST})\n`);
    return grown > MOST || left > 0 ? 1 : 0;
  } finally {
    await stage.end();
  }
}

/** Not a number where there is no procfs. */
function openSockets({ pid }: Target): number {
  if (process.platform !== 'linux') return Number.NaN;
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => isSocket(`${folder}/${name}`)).length;
}

function isSocket(link: string): boolean {
  try {
    return readlinkSync(link).startsWith('socket:');
  } catch {
    // It was closed meanwhile.
    return false;
  }
}
