import { atMost, type Row } from '../row.ts';
import { listen, REQUESTS, streamed, type Template } from './messages.ts';
import { type Middleman, residentMemory, type Stage, type Target } from './targets.ts';

/** Windows has no signals, which ask for memory to be given back. */
const CAN_READ = process.platform !== 'win32';

const STREAMS = 200;
const FEW = 4;
const CONNECTIONS = 32;
/** Milliseconds of mixed load, in thirds. */
const MIXED = 20_000;

/** One of each kind of request, most of them small, as a busy agent sends them. */
export function mixedLoad(to: Target): readonly Template[] {
  const [ping, call] = [REQUESTS.ping(to), REQUESTS.call(to)];
  return [ping, call, REQUESTS['modern ping'](to), call, REQUESTS['modern call'](to), REQUESTS.list(to), streamed(to, 20), call];
}

/** What open streams hold. To be asked for before any load: what that leaves free would take them in. */
export async function measureOpenStreams(stage: Stage): Promise<Row[]> {
  const rows: Row[] = [];
  if (!CAN_READ) return rows;
  // nginx gives nothing back when asked.
  for (const name of [...stage.middlemen.keys()].filter((one) => one !== 'nginx')) rows.push(await measureOpen(stage, name));
  return rows;
}

/** Whether load leaves anything behind in clawai. */
export async function measureFlatness(stage: Stage): Promise<Row[]> {
  const clawai = stage.middlemen.get('clawai');
  return clawai === undefined || !CAN_READ ? [] : [await measureFlat(stage, clawai)];
}

async function measureOpen(stage: Stage, name: Middleman): Promise<Row> {
  const target = stage.middleman(name);
  // The first ones load what all of them need.
  await stage.load.open(target.port, listen(target), FEW);
  await stage.load.close();
  const idle = await residentMemory(target);
  await stage.load.open(target.port, listen(target), STREAMS);
  const open = await residentMemory(target);
  await stage.load.close();
  const what = `${STREAMS} open streams, memory over idle`;
  const row = { name: name === 'clawai' ? what : `reference: ${name}, ${what}`, unit: 'MiB', value: open - idle };
  const sides = `${idle.toFixed(0)} → ${open.toFixed(0)} MiB`;
  return name === 'clawai' ? atMost(40, { ...row, clawai: sides }) : { ...row, pipe: sides };
}

/** After the first third, everything that only has to be made once is there. */
async function measureFlat(stage: Stage, target: Target): Promise<Row> {
  const order = { port: target.port, templates: mixedLoad(target), connections: CONNECTIONS, warm: 0 };
  await stage.load.rate({ ...order, measure: MIXED / 3 });
  const early = await residentMemory(target);
  const { rate } = await stage.load.rate({ ...order, measure: (MIXED * 2) / 3 });
  const late = await residentMemory(target);
  return atMost(15, {
    name: `memory after ${MIXED / 1000} s of mixed load at ${(rate / 1000).toFixed(1)}k/s, over that after a third`,
    unit: 'MiB',
    value: late - early,
    clawai: `${early.toFixed(0)} → ${late.toFixed(0)} MiB`,
  });
}
