import { atLeast, type Row } from '../row.ts';
import { alternate } from '../stdio/rounds.ts';
import { ask } from './messages.ts';
import { type LlmStage, type Middleman, MIDDLEMEN } from './stage.ts';

const EVENTS = 40_000;
const ROUNDS = 5;
/** Until the engine has compiled what restores a token; it comes less often than other events. */
const WARM_ROUNDS = 12;
/** Events that the API writes in one piece where it is not one by one; about 20 KiB. */
const TOGETHER = 100;

/** How many events of an answer pass in a second. */
export async function measureEvents(stage: LlmStage): Promise<Row[]> {
  return [...(await measure(stage, 1, 0.55)), ...(await measure(stage, TOGETHER))];
}

/** How many events pass in a second of an answer whose tokens are restored: each is cut into two events, and two of ten have one. */
export async function measureTokenEvents(stage: LlmStage): Promise<Row[]> {
  const tokens = '[dlp]\non_request = "tokenize"\n';
  const targets = {
    pipe: stage.target('pipe'),
    clawai: await stage.startFresh('', { policy: tokens }),
    plain: stage.target('clawai'),
  };
  const bodies = new Set<number>();
  const once = async (name: keyof typeof targets): Promise<number> => {
    const target = targets[name];
    const template = ask(target, { plan: 'tokens', count: EVENTS }, stage.wire.endpoint);
    const [timing] = await stage.load.time(target.port, template, 1);
    if (timing === undefined) throw new Error('nothing was measured');
    bodies.add(timing.body);
    return EVENTS / timing.whole;
  };
  const names = ['pipe', 'clawai', 'plain'] as const;
  await alternate(WARM_ROUNDS, once, names);
  const rates = await alternate(ROUNDS, once, names);
  // What comes with the token is longer or shorter than what comes with the secret.
  if (bodies.size !== 1) throw new Error(`answers of different length: ${JSON.stringify([...bodies])}`);
  const pipe = `${rates.pipe.toFixed(0)}k/s`;
  const what = `${stage.wire.name}: events of an answer whose tokens are restored, each written alone`;
  return [
    atLeast(0.5, {
      name: what,
      unit: '× pipe',
      value: rates.clawai / rates.pipe,
      pipe,
      clawai: `${rates.clawai.toFixed(0)}k/s`,
    }),
    {
      name: `reference: clawai that replaces nothing at ${rates.plain.toFixed(0)}k/s, ${what}`,
      unit: '× pipe',
      value: rates.plain / rates.pipe,
      pipe,
    },
  ];
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
