import { atLeast, type Row } from '../row.ts';
import { alternate } from '../stdio/rounds.ts';
import { ask } from './messages.ts';
import { type LlmStage, type Middleman, MIDDLEMEN } from './stage.ts';

const EVENTS = 40_000;
const ROUNDS = 5;
/** Events that the API writes in one piece where it is not one by one; about 20 KiB. */
const TOGETHER = 100;

/** How many events of an answer pass in a second. */
export async function measureEvents(stage: LlmStage): Promise<Row[]> {
  return [...(await measure(stage, 1, 0.55)), ...(await measure(stage, TOGETHER))];
}

/** @param together events in one piece of the API's @param bound of clawai's rate over the pipe's */
async function measure(stage: LlmStage, together: number, bound?: number): Promise<Row[]> {
  const count = EVENTS * (together === 1 ? 1 : 5);
  const bodies = new Map<string, number>();
  const once = async (name: Middleman): Promise<number> => {
    const target = stage.target(name);
    const [timing] = await stage.load.time(target.port, ask(target, { plan: 'events', count, together }, stage.wire.endpoint), 1);
    if (timing === undefined) throw new Error('nothing was measured');
    bodies.set(name, timing.body);
    return count / timing.whole;
  };
  await alternate(2, once, MIDDLEMEN);
  const rates = await alternate(ROUNDS, once, MIDDLEMEN);
  // Whoever passes on less than there is would be the fastest.
  if (new Set(bodies.values()).size !== 1) throw new Error(`answers of different length: ${JSON.stringify([...bodies])}`);
  const what = `${stage.wire.name}: events of an answer ${together === 1 ? 'that are each written alone' : `that are written ${together} at a time`}`;
  const pipe = `${rates.pipe.toFixed(0)}k/s`;
  const own = { name: what, unit: '× pipe', value: rates.clawai / rates.pipe, pipe, clawai: `${rates.clawai.toFixed(0)}k/s` };
  return [
    bound === undefined ? own : atLeast(bound, own),
    ...(['pass-through', 'httpxy', 'disabled'] as const).map((name) => ({
      name: `reference: ${name} at ${rates[name].toFixed(0)}k/s, ${what}`,
      unit: '× pipe',
      value: rates[name] / rates.pipe,
      pipe,
    })),
  ];
}
