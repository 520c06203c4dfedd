import { mixedLoad } from '../bench/http/memory.ts';
import { residentMemory, Stage } from '../bench/http/targets.ts';

const MINUTE = 60_000;
const CONNECTIONS = 32;
/** MiB. */
const MOST = 15;

/**
 * Mixed load on `clawai serve`. Prints each minute what it answers a second and what it holds: as it is, and after giving back what it
 * does not need. At least nine times, since that is what the run is about.
 * @returns the exit code: 1 where the last third holds more than 15 MiB beyond what the first did
 */
export async function soakHttp(total: number): Promise<0 | 1> {
  const stage = new Stage();
  try {
    await stage.start({ names: ['clawai'] });
    const target = stage.middleman('clawai');
    const turns = Math.max(9, Math.round(total));
    const measure = (total * MINUTE) / turns;
    const held: number[] = [];
    for (let turn = 1; turn <= turns; turn++) {
      const order = { port: target.port, templates: mixedLoad(target), connections: CONNECTIONS, warm: 0, measure };
      const { rate } = await stage.load.rate(order);
      const before = await residentMemory(target, false);
      const after = await residentMemory(target);
      held.push(after);
      const minute = ((turn * measure) / MINUTE).toFixed(1);
      process.stdout.write(`${minute} min  ${rate.toFixed(0)}/s  ${before.toFixed(0)} MiB, settled ${after.toFixed(0)} MiB\n`);
    }
    const third = Math.floor(turns / 3);
    const grown = Math.max(...held.slice(-third)) - Math.max(...held.slice(0, third));
    process.stdout.write(`the last third held ${grown.toFixed(1)} MiB more than the first (at most ${MOST})\n`);
    return grown > MOST ? 1 : 0;
  } finally {
    await stage.end();
  }
}
