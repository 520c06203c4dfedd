import { processorTime } from '../http/targets.ts';
import type { Row } from '../row.ts';
import { alternate } from '../stdio/rounds.ts';
import { ask } from './messages.ts';
import { ALLOWED_COMMAND } from './policy.ts';
import { type LlmStage, type Middleman, MIDDLEMEN } from './stage.ts';

const CONNECTIONS = 8;
const ROUNDS = 5;
/** Milliseconds. */
const WARM = 300;
const MEASURE = 1000;
const SIZE = 100 * 1024;
const CALLS = 5;

/** Answers in one piece a second; clawai decides and records their calls. */
export async function measureWholeAnswers(stage: LlmStage): Promise<Row[]> {
  const used = new Map<Middleman, { milliseconds: number; answers: number }>();
  const once = async (name: Middleman): Promise<number> => {
    const target = stage.target(name);
    const before = processorTime(target);
    const templates = [ask(target, { plan: 'whole', size: SIZE, count: CALLS, command: ALLOWED_COMMAND })];
    const order = { port: target.port, templates, connections: CONNECTIONS, warm: WARM, measure: MEASURE };
    const { rate, answers } = await stage.load.rate(order);
    used.set(name, { milliseconds: processorTime(target) - before, answers });
    return rate;
  };
  await alternate(1, once, MIDDLEMEN);
  const rates = await alternate(ROUNDS, once, MIDDLEMEN);
  const side = (name: Middleman): string => {
    const { milliseconds, answers } = used.get(name) ?? { milliseconds: Number.NaN, answers: 1 };
    return `${rates[name].toFixed(0)}/s, ${(milliseconds / answers).toFixed(2)} ms each`;
  };
  const what = `answers of 100 KiB with ${CALLS} calls in one piece, ${CONNECTIONS} at a time`;
  const other = rates['pass-through'];
  const pipe = `pass-through ${side('pass-through')}`;
  return [
    { name: what, unit: '× pass-through', value: rates.clawai / other, pipe, clawai: side('clawai') },
    ...(['pipe', 'httpxy', 'disabled'] as const).map((name) => ({
      name: `reference: ${name} at ${side(name)}, ${what}`,
      unit: '× pass-through',
      value: rates[name] / other,
      pipe,
    })),
  ];
}
