import { atLeast, type Row } from '../row.ts';
import { alternate } from '../stdio/rounds.ts';
import { REQUESTS } from './messages.ts';
import type { Middleman, Stage } from './targets.ts';

const CONNECTIONS = 32;
const ROUNDS = 3;
/** Milliseconds. */
const FIRST_WARM = 2000;
const WARM = 300;
const MEASURE = 3000;

/** Answers a second at 32 at a time, in rounds that alternate between the middlemen. */
export async function measureRates(stage: Stage): Promise<Row[]> {
  return [
    ...(await measure(stage, 'ping', 'without a decision', { httpxy: 1, pipe: 0.36 })),
    ...(await measure(stage, 'modern ping', 'without a decision, modern', { httpxy: 1, pipe: 0.36 })),
    ...(await measure(stage, 'call', 'decided and recorded', { httpxy: 0.8 })),
    ...(await measure(stage, 'modern call', 'decided and recorded, modern', { httpxy: 0.8 })),
  ];
}

/** @param bounds of what clawai's rate is to that of others */
async function measure(
  stage: Stage,
  kind: keyof typeof REQUESTS,
  words: string,
  bounds: Readonly<Partial<Record<Middleman, number>>>,
): Promise<Row[]> {
  const names = [...stage.middlemen.keys()];
  const rate = (warm: number, milliseconds: number) => (name: Middleman) => {
    const target = stage.middleman(name);
    const templates = [REQUESTS[kind](target)];
    return stage.load.rate({ port: target.port, templates, connections: CONNECTIONS, warm, measure: milliseconds });
  };
  await alternate(1, rate(FIRST_WARM, 100), names);
  const rates = await alternate(ROUNDS, rate(WARM, MEASURE), names);
  const what = `requests ${words}, ${CONNECTIONS} at a time`;
  return [...ratios(what, rates, bounds), ...references(what, rates)];
}

function ratios(
  what: string,
  rates: Readonly<Partial<Record<Middleman, number>>>,
  bounds: Readonly<Partial<Record<Middleman, number>>>,
): Row[] {
  const clawai = rates.clawai;
  if (clawai === undefined) return [];
  return (['httpxy', 'pipe'] as const).flatMap((name) => {
    const other = rates[name];
    if (other === undefined) return [];
    const row = {
      name: what,
      unit: `× ${name}`,
      value: clawai / other,
      pipe: `${name} ${inThousands(other)}`,
      clawai: inThousands(clawai),
    };
    const bound = bounds[name];
    return [bound === undefined ? row : atLeast(bound, row)];
  });
}

/** The others over the pipe. */
function references(what: string, rates: Readonly<Partial<Record<Middleman, number>>>): Row[] {
  const { pipe } = rates;
  if (pipe === undefined) return [];
  return (['nginx', 'httpxy', 'http-proxy'] as const).flatMap((name) => {
    const rate = rates[name];
    if (rate === undefined) return [];
    return [
      {
        name: `reference: ${name} at ${inThousands(rate)}, ${what}`,
        unit: '× pipe',
        value: rate / pipe,
        pipe: inThousands(pipe),
      },
    ];
  });
}

function inThousands(rate: number): string {
  return `${(rate / 1000).toFixed(1)}k/s`;
}
