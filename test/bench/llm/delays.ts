import { atMost, type Row } from '../row.ts';
import { median, percentile } from '../statistics.ts';
import { alternate } from '../stdio/rounds.ts';
import type { Plan } from './messages.ts';
import { ALLOWED_COMMAND, DENIED_COMMAND } from './policy.ts';
import { type LlmStage, MIDDLEMEN, type Where } from './stage.ts';
import { readTimed, type TimedStream } from './timed-stream.ts';
import type { Wire } from './wires.ts';

const EVENTS = 300;
const CALLS = 100;
const ROUNDS = 7;
/** Until the engine has compiled what runs often, which takes it some 500 calls; a proxy that serves an agent has long done that. */
const WARM_ROUNDS = 10;
/** Milliseconds between two events; calls come apart, as those of a model do. */
const PACE = 3;
/** Bytes of a call's arguments. */
const ARGUMENTS = 400;

/** Milliseconds. */
interface Delays {
  readonly p50: number;
  readonly p99: number;
}

/** How much later an event reaches the client than it was written. */
export async function measureDelays(stage: LlmStage): Promise<Row[]> {
  const plan: Plan = { plan: 'paced', count: EVENTS, pace: PACE };
  const where = ['direct', ...MIDDLEMEN] as const;
  const delays = await measure(stage, { plan, where, read: eventDelays });
  const other = delays['pass-through'];
  return (['p50', 'p99'] as const).flatMap((which) => [
    atMost(0.15, {
      name: `delay of an event every ${PACE} ms, ${which}, over a pass-through's`,
      unit: 'ms',
      value: delays.clawai[which] - other[which],
      pipe: `pass-through ${other[which].toFixed(2)} ms`,
      clawai: `${delays.clawai[which].toFixed(2)} ms`,
    }),
    ...(['direct', 'pipe', 'httpxy', 'disabled'] as const).map((name) => ({
      name: `reference: ${name}, delay of an event, ${which}, over a pass-through's`,
      unit: 'ms',
      value: delays[name][which] - other[which],
    })),
  ]);
}

/** How long a call takes that is held until its last byte is there, released or replaced by a note. */
export async function measureHeldCalls(stage: LlmStage): Promise<Row[]> {
  const rows: Row[] = await measureFirstCalls(stage);
  for (const [command, what] of [
    [ALLOWED_COMMAND, 'a held call is released'],
    [DENIED_COMMAND, 'a held call is replaced'],
  ] as const) {
    const plan: Plan = { plan: 'calls', count: CALLS, pace: PACE, size: ARGUMENTS, command };
    const delays = await measure(stage, {
      plan,
      where: ['direct', 'pass-through', 'clawai'],
      read: (made) => callDelays(made, stage.wire),
    });
    for (const which of ['p50', 'p99'] as const) {
      rows.push(
        atMost(2, {
          name: `${stage.wire.name}: ${what} after its last byte, ${which}, later than without a middleman`,
          unit: 'ms',
          value: delays.clawai[which] - delays.direct[which],
          pipe: `direct ${delays.direct[which].toFixed(2)} ms, pass-through ${delays['pass-through'][which].toFixed(2)} ms`,
          clawai: `${delays.clawai[which].toFixed(2)} ms`,
        }),
      );
    }
  }
  return rows;
}

/** The same in a process that has done nothing yet: the first call opens the store, and makes it. */
async function measureFirstCalls(stage: LlmStage): Promise<Row[]> {
  const plan: Plan = { plan: 'calls', count: CALLS, pace: PACE, size: ARGUMENTS, command: ALLOWED_COMMAND };
  const delays = callDelays(await readTimed(await stage.startFresh(''), plan, stage.wire), stage.wire);
  return [50, 99].map((which) => ({
    name: `reference: ${stage.wire.name}: the first ${CALLS} held calls of a process are released after their last byte, p${which}`,
    unit: 'ms',
    value: percentile(delays, which),
  }));
}

/** Each in turn; medians of the rounds. */
async function measure<W extends Where>(
  stage: LlmStage,
  { plan, where, read }: { readonly plan: Plan; readonly where: readonly W[]; readonly read: (stream: TimedStream) => number[] },
): Promise<Record<W, Delays>> {
  const tails = new Map<W, number[]>(where.map((name) => [name, []]));
  const once = async (name: W): Promise<number> => {
    const delays = read(await readTimed(stage.target(name), plan, stage.wire));
    if (delays.length !== plan.count) throw new Error(`${name}: ${delays.length} delays were seen instead of ${plan.count}`);
    tails.get(name)?.push(percentile(delays, 99));
    return median(delays);
  };
  await alternate(WARM_ROUNDS, once, where);
  for (const name of where) tails.set(name, []);
  const middles = await alternate(ROUNDS, once, where);
  const both = where.map((name) => [name, { p50: middles[name], p99: median(tails.get(name) ?? []) }] as const);
  return Object.fromEntries(both) as Record<W, Delays>;
}

/** Of each event that says when it was written, when its frame was complete. */
function eventDelays({ text, arrival }: TimedStream): number[] {
  return [...text.matchAll(/t=(\d+) /g)].map((match) => {
    const written = Number(match[1]);
    return (arrival(text.indexOf('\n\n', match.index) + 1) - written) / 1e6;
  });
}

/** Of each call, when the end of what took its place was there, itself or a note. A text behind it says when its last byte was written. */
function callDelays({ text, arrival }: TimedStream, { callEnd }: Wire): number[] {
  return [...text.matchAll(/s=(\d+) /g)].map((match, call) => {
    const end = callEnd(call);
    const at = text.indexOf(end);
    if (at === -1 || at > match.index) throw new Error('a call has no end');
    return (arrival(at + end.length - 1) - Number(match[1])) / 1e6;
  });
}
