import { atLeast, atMost, type Row } from '../row.ts';
import { median } from '../statistics.ts';
import { alternate } from '../stdio/rounds.ts';
import { streamed } from './messages.ts';
import type { Middleman, Stage, Target } from './targets.ts';

const DIRECT = 'direct';
/** First bytes, of which the first few are not counted. */
const FIRST_BYTES = 50;
const WARM_BYTES = 20;
const EVENTS = 50_000;
/** Short and many, since others have a moment on the machine, too. */
const ROUNDS = 9;
/** Events that a server writes in one piece where it is not one by one; about 16 KiB. */
const TOGETHER = 100;

type Where = Middleman | typeof DIRECT;

/** How much later the first event of a stream comes, and how many events a second pass. */
export async function measureStreams(stage: Stage): Promise<Row[]> {
  const where = (name: Where): Target => (name === DIRECT ? stage.direct : stage.middleman(name));
  return [
    ...(await measureFirstByte(stage, where)),
    ...(await measureEvents(stage, where, 1, 0.55)),
    ...(await measureEvents(stage, where, TOGETHER)),
  ];
}

async function measureFirstByte(stage: Stage, where: (name: Where) => Target): Promise<Row[]> {
  const names: readonly Where[] = [DIRECT, ...stage.middlemen.keys()];
  const once = async (name: Where): Promise<number> => {
    const target = where(name);
    const timings = await stage.load.time(target.port, streamed(target, 1), WARM_BYTES + FIRST_BYTES);
    return median(timings.slice(WARM_BYTES).map(({ firstByte }) => firstByte));
  };
  await alternate(2, once, names);
  const times = await alternate(ROUNDS, once, names);
  return [...stage.middlemen.keys()].map((name) => {
    const value = times[name] - times[DIRECT];
    const what = `first byte of a stream, median of ${FIRST_BYTES}, later than without a middleman`;
    const row = { name: name === 'clawai' ? what : `reference: ${name}, ${what}`, unit: 'ms', value };
    return name === 'clawai'
      ? atMost(0.4, { ...row, pipe: `direct ${times[DIRECT].toFixed(2)} ms`, clawai: `${times.clawai.toFixed(2)} ms` })
      : row;
  });
}

/** @param together events in one piece of the server's @param bound of clawai's rate over the pipe's */
async function measureEvents(stage: Stage, where: (name: Where) => Target, together: number, bound?: number): Promise<Row[]> {
  const names = [...stage.middlemen.keys()];
  const events = EVENTS * (together === 1 ? 1 : 4);
  const bodies = new Map<string, number>();
  const once = async (name: Middleman): Promise<number> => {
    const target = where(name);
    const [timing] = await stage.load.time(target.port, streamed(target, events, together), 1);
    if (timing === undefined) throw new Error('nothing was measured');
    bodies.set(name, timing.body);
    return events / timing.whole;
  };
  await alternate(2, once, names);
  const rates = await alternate(ROUNDS, once, names);
  // Whoever passes on less than there is would be the fastest.
  if (new Set(bodies.values()).size !== 1) throw new Error(`streams of different length: ${JSON.stringify([...bodies])}`);
  return names
    .filter((name) => name !== 'pipe')
    .toSorted((a, b) => Number(b === 'clawai') - Number(a === 'clawai'))
    .map((name) => {
      const how = together === 1 ? 'that are each written alone' : `that are written ${together} at a time`;
      const what = `events of a stream ${how}`;
      const speed = `${rates[name].toFixed(0)}k/s`;
      const row = { unit: '× pipe', value: rates[name] / rates.pipe, pipe: `${rates.pipe.toFixed(0)}k/s` };
      if (name !== 'clawai') return { ...row, name: `reference: ${name} at ${speed}, ${what}` };
      const own = { ...row, name: what, clawai: speed };
      return bound === undefined ? own : atLeast(bound, own);
    });
}
