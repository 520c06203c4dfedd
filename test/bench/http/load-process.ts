// Makes load, in a process of its own: started by load.ts, which it gets orders from.
import { setTimeout } from 'node:timers/promises';
import { Connection, type Timing } from './connection.ts';
import type { Order, Outcome, Rate } from './load.ts';
import type { Template } from './messages.ts';
import { talk, timeAnswers, timeStream } from './sse-sessions.ts';

const opened: Connection[] = [];

process.on('message', (order: Order) => {
  void obey(order).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) } satisfies Outcome),
  );
});
// Whoever gave the orders is gone.
process.on('disconnect', () => process.exit());

async function obey(order: Order): Promise<Outcome> {
  if (order.do === 'rate') return await measureRate(order);
  if (order.do === 'time') return { timings: await measureTimes(order) };
  if (order.do === 'answers') return { timings: await timeAnswers(order) };
  if (order.do === 'stream') return { timings: [await timeStream(order)] };
  if (order.do === 'talk') return { answers: await talk(order) };
  if (order.do === 'open') await openStreams(order.port, order.template, order.count);
  else for (const connection of opened.splice(0)) connection.close();
  return {};
}

/** Over connections that each send the next request when the last one is answered. */
async function measureRate({ port, templates, connections, warm, measure }: Order & { do: 'rate' }): Promise<Rate> {
  const until = performance.now() + warm + measure;
  let answers = 0;
  const all = Array.from({ length: connections }, () => new Connection(port));
  const worker = async (connection: Connection, first: number): Promise<void> => {
    for (let i = first; performance.now() < until; i++) {
      const template = templates[i % templates.length];
      if (template === undefined) throw new Error('nothing to send');
      await connection.request(template);
      answers++;
    }
  };
  const work = Promise.all(all.map(worker));
  const measured = (async () => {
    await setTimeout(warm);
    const [before, started] = [answers, performance.now()];
    await setTimeout(measure);
    return ((answers - before) / (performance.now() - started)) * 1000;
  })();
  try {
    const [rate] = await Promise.all([measured, work]);
    return { rate, answers };
  } finally {
    for (const connection of all) connection.close();
  }
}

/** One request after the other on one connection. */
async function measureTimes({ port, template, count }: Order & { do: 'time' }): Promise<Timing[]> {
  const connection = new Connection(port);
  const timings: Timing[] = [];
  try {
    for (let i = 0; i < count; i++) timings.push(await connection.request(template));
    return timings;
  } finally {
    connection.close();
  }
}

async function openStreams(port: number, template: Template, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const connection = new Connection(port);
    opened.push(connection);
    await connection.open(template);
  }
}
