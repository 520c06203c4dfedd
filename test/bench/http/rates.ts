import { atLeast, type Row } from '../row.ts';
import { alternate } from '../stdio/rounds.ts';
import { REQUESTS } from './messages.ts';
import { type Middleman, processorTime, type Stage } from './targets.ts';

const CONNECTIONS = 32;
/** Short and many, since others have a moment on the machine, too. */
const ROUNDS = 9;
/** Milliseconds. */
const FIRST_WARM = 2000;
const WARM = 200;
const MEASURE = 1000;

const OTHERS = ['httpxy', 'pipe', 'unmanaged'] as const;

type Kind = keyof typeof REQUESTS;
type Numbers = Readonly<Partial<Record<Middleman, number>>>;

/** Answers a second at 32 at a time, in rounds that alternate between the middlemen; medians. */
export async function measureRates(stage: Stage): Promise<Row[]> {
  return [
    ...(await measure(stage, 'ping', 'without a decision', { httpxy: 1, pipe: 0.36 })),
    ...(await measure(stage, 'modern ping', 'without a decision, modern', { httpxy: 1, pipe: 0.36 })),
    ...(await measure(stage, 'call', 'decided and recorded', { httpxy: 0.8 })),
    ...(await measure(stage, 'modern call', 'decided and recorded, modern', { httpxy: 0.8 })),
  ];
}

/** The same of calls with big arguments, one at a time, under the shipped policy. */
export function measureBigCalls(stage: Stage): Promise<Row[]> {
  return measure(stage, 'big call', 'with 1 MiB of arguments, decided and recorded', { pipe: 0.25 }, 1);
}

/** Calls with a token of clawai's over the same calls without one. */
export function measureLogins(stage: Stage): Promise<Row[]> {
  return measure(stage, 'call', 'decided and recorded, with a login', { unmanaged: 0.9 });
}

/** @param bounds of what clawai's rate is to that of others */
async function measure(stage: Stage, kind: Kind, words: string, bounds: Numbers, connections = CONNECTIONS): Promise<Row[]> {
  const names = [...stage.middlemen.keys()];
  const used = new Map(names.map((name) => [name, { milliseconds: 0, answers: 0 }]));
  const once = (warm: number, milliseconds: number) => async (name: Middleman) => {
    const target = stage.middleman(name);
    const before = processorTime(target);
    const templates = [REQUESTS[kind](target)];
    const order = { port: target.port, templates, connections, warm, measure: milliseconds };
    const { rate, answers } = await stage.load.rate(order);
    const sum = used.get(name);
    if (sum !== undefined) {
      sum.milliseconds += processorTime(target) - before;
      sum.answers += answers;
    }
    return rate;
  };
  await alternate(1, once(FIRST_WARM, 100), names);
  for (const name of names) used.set(name, { milliseconds: 0, answers: 0 });
  const rates = await alternate(ROUNDS, once(WARM, MEASURE), names);
  const each = Object.fromEntries([...used].map(([name, sum]) => [name, (sum.milliseconds * 1000) / sum.answers]));
  const what = `requests ${words}, ${connections} at a time`;
  return [...own(what, rates, bounds), ...ownTime(each), ...references(what, rates, each)];
}

function own(what: string, rates: Numbers, bounds: Numbers): Row[] {
  const { clawai } = rates;
  if (clawai === undefined) return [];
  return OTHERS.flatMap((name) => {
    const [other, bound] = [rates[name], bounds[name]];
    if (other === undefined) return [];
    const sides = { pipe: `${name} ${inThousands(other)}`, clawai: inThousands(clawai) };
    const row = { name: what, unit: `× ${name}`, value: clawai / other, ...sides };
    return [bound === undefined ? row : atLeast(bound, row)];
  });
}

/** What a busy machine changes less than the rate. */
function ownTime({ clawai, ...others }: Numbers): Row[] {
  const name = others.httpxy === undefined ? 'unmanaged' : 'httpxy';
  const other = others[name];
  if (clawai === undefined || other === undefined) return [];
  const sides = { pipe: `${name} ${other.toFixed(0)} µs`, clawai: `${clawai.toFixed(0)} µs` };
  return [{ name: 'the same, processor time of each', unit: `× ${name}`, value: clawai / other, ...sides }];
}

/** The others over the pipe. */
function references(what: string, rates: Numbers, each: Numbers): Row[] {
  const { pipe } = rates;
  if (pipe === undefined) return [];
  const pipeTime = `${inThousands(pipe)}, ${(each.pipe ?? Number.NaN).toFixed(0)} µs`;
  return (['nginx', 'httpxy', 'http-proxy'] as const).flatMap((name) => {
    const [rate, time] = [rates[name], each[name]];
    if (rate === undefined || time === undefined) return [];
    const label = `reference: ${name} at ${inThousands(rate)} and ${time.toFixed(0)} µs each, ${what}`;
    return [{ name: label, unit: '× pipe', value: rate / pipe, pipe: pipeTime }];
  });
}

function inThousands(rate: number): string {
  return rate < 1000 ? `${rate.toFixed(0)}/s` : `${(rate / 1000).toFixed(1)}k/s`;
}
