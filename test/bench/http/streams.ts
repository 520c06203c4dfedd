import { atLeast, atMost, type Row } from '../row.ts';
import { median } from '../statistics.ts';
import { alternate } from '../stdio/rounds.ts';
import type { Timing } from './connection.ts';
import type { Load } from './load.ts';
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

interface Shape {
  readonly events: number;
  /** Events in one piece of the server's. */
  readonly together: number;
}

/** A transport that has streams. */
interface Transport {
  /** What its rows call a stream, and the first bytes of one. */
  readonly beginning: string;
  readonly stream: string;
  /** One after the other. */
  readonly first: (load: Load, target: Target, count: number) => Promise<readonly Timing[]>;
  readonly events: (load: Load, target: Target, shape: Shape) => Promise<readonly Timing[]>;
}

const STREAMABLE: Transport = {
  beginning: 'a stream',
  stream: 'a stream',
  first: (load, target, count) => load.time(target.port, streamed(target, 1), count),
  events: (load, target, { events, together }) => load.time(target.port, streamed(target, events, together), 1),
};

const SSE: Transport = {
  beginning: 'an answer over HTTP+SSE',
  stream: 'a stream of HTTP+SSE',
  first: (load, target, count) => load.timeAnswers(target, count),
  events: (load, target, shape) => load.timeStream({ target, ...shape }),
};

/** How much later the first event of a stream comes, and how many events a second pass. */
export function measureStreams(stage: Stage): Promise<Row[]> {
  return measureOver(STREAMABLE, stage);
}

/** The same over HTTP+SSE, within the same bounds. */
export function measureSse(stage: Stage): Promise<Row[]> {
  return measureOver(SSE, stage);
}

async function measureOver(transport: Transport, stage: Stage): Promise<Row[]> {
  return [
    ...(await measureFirstByte(stage, transport)),
    ...(await measureEvents(stage, transport, 1, 0.55)),
    ...(await measureEvents(stage, transport, TOGETHER)),
  ];
}

async function measureFirstByte(stage: Stage, { beginning, first }: Transport): Promise<Row[]> {
  const names: readonly Where[] = [DIRECT, ...stage.middlemen.keys()];
  const once = async (name: Where): Promise<number> => {
    const target = name === DIRECT ? stage.direct : stage.middleman(name);
    const timings = await first(stage.load, target, WARM_BYTES + FIRST_BYTES);
    return median(timings.slice(WARM_BYTES).map(({ firstByte }) => firstByte));
  };
  await alternate(2, once, names);
  const times = await alternate(ROUNDS, once, names);
  return [...stage.middlemen.keys()].map((name) => {
    const value = times[name] - times[DIRECT];
    const what = `first byte of ${beginning}, median of ${FIRST_BYTES}, later than without a middleman`;
    const row = { name: name === 'clawai' ? what : `reference: ${name}, ${what}`, unit: 'ms', value };
    return name === 'clawai'
      ? atMost(0.4, { ...row, pipe: `direct ${times[DIRECT].toFixed(2)} ms`, clawai: `${times.clawai.toFixed(2)} ms` })
      : row;
  });
}

/** @param bound of clawai's rate over the pipe's */
async function measureEvents(
  stage: Stage,
  { stream, events: time }: Transport,
  together: number,
  bound?: number,
): Promise<Row[]> {
  const names = [...stage.middlemen.keys()];
  const events = EVENTS * (together === 1 ? 1 : 4);
  const bodies = new Map<string, number>();
  const once = async (name: Middleman): Promise<number> => {
    const [timing] = await time(stage.load, stage.middleman(name), { events, together });
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
      const what = `events of ${stream} ${how}`;
      const speed = `${rates[name].toFixed(0)}k/s`;
      const row = { unit: '× pipe', value: rates[name] / rates.pipe, pipe: `${rates.pipe.toFixed(0)}k/s` };
      if (name !== 'clawai') return { ...row, name: `reference: ${name} at ${speed}, ${what}` };
      const own = { ...row, name: what, clawai: speed };
      return bound === undefined ? own : atLeast(bound, own);
    });
}
