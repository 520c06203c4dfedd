import { atLeast, atMost, type Row } from '../row.ts';
import { median, percentile } from '../statistics.ts';
import { alternate } from '../stdio/rounds.ts';
import { ask, type Plan } from './messages.ts';
import { ALLOWED_COMMAND, DENIED_COMMAND } from './policy.ts';
import type { LlmStage } from './stage.ts';
import { readTimed } from './timed-stream.ts';

const EVENTS = 40_000;
const CALLS = 100;
const ROUNDS = 5;
/** Milliseconds between two calls. */
const PACE = 3;
/** Bytes of a call's arguments. */
const ARGUMENTS = 400;

const WHERE = ['pipe', 'clawai'] as const;

/** How many events of an answer of Gemini's pass in a second, each written alone. */
export async function measureGeminiEvents(stage: LlmStage): Promise<Row[]> {
  const once = async (where: (typeof WHERE)[number]): Promise<number> => {
    const target = stage.geminiTarget(where);
    const [timing] = await stage.load.time(target.port, ask(target, { plan: 'gemini-events', count: EVENTS }), 1);
    if (timing === undefined) throw new Error('nothing was measured');
    return EVENTS / timing.whole;
  };
  await alternate(2, once, WHERE);
  const rates = await alternate(ROUNDS, once, WHERE);
  return [
    atLeast(0.55, {
      name: "events of Gemini's answer that are each written alone",
      unit: '× pipe',
      value: rates.clawai / rates.pipe,
      pipe: `${rates.pipe.toFixed(0)}k/s`,
      clawai: `${rates.clawai.toFixed(0)}k/s`,
    }),
  ];
}

/** How long an event of Gemini's takes that a call is in, released or with a note in its place. */
export async function measureGeminiCalls(stage: LlmStage): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [command, what] of [
    [ALLOWED_COMMAND, 'released'],
    [DENIED_COMMAND, 'replaced'],
  ] as const) {
    const plan: Plan = { plan: 'gemini-calls', count: CALLS, pace: PACE, size: ARGUMENTS, command };
    const tails: number[] = [];
    const once = async (where: (typeof WHERE)[number]): Promise<number> => {
      const { text, arrival } = await readTimed(stage.geminiTarget(where), plan);
      const delays = [...text.matchAll(/s=(\d+) /g)].map(
        ({ 1: written, index }) => (arrival(text.indexOf('\n', index)) - Number(written)) / 1e6,
      );
      const isReplaced = where === 'clawai' && command === DENIED_COMMAND;
      if (delays.length !== CALLS || text.includes('functionCall') === isReplaced) throw new Error('not what was to come');
      if (where === 'clawai') tails.push(percentile(delays, 99));
      return median(delays);
    };
    await alternate(2, once, WHERE);
    tails.length = 0;
    const { pipe, clawai } = await alternate(ROUNDS, once, WHERE);
    const sides = { pipe: `${pipe.toFixed(2)} ms`, clawai: `${clawai.toFixed(2)} ms, p99 ${median(tails).toFixed(2)} ms` };
    rows.push(
      atMost(2, { name: `a call of Gemini's is ${what}, p50, later than by a pipe`, unit: 'ms', value: clawai - pipe, ...sides }),
    );
  }
  return rows;
}
