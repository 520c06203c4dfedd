import { call, Guarded, ping, rest, StoreHolder } from '../support/guarded.ts';
import { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const ROUNDS = 7;

/** A server that says when it said it, every 2 ms. */
const TICKING = `
  process.stdin.on('data', (chunk) => {
    for (const line of String(chunk).trim().split('\\n')) console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: {} }));
  }).on('end', () => process.exit());
  setInterval(() => console.log(JSON.stringify({ jsonrpc: '2.0', method: 'tick', params: { at: performance.timeOrigin + performance.now() } })), 2);`;

/** How soon things end, and that nothing stands still while a call waits for the store. */
export async function endingBench(): Promise<Row[]> {
  const sandbox = new Sandbox();
  try {
    return [...(await measureEndings(sandbox)), measureRefusal(sandbox), await measureTicks(sandbox)];
  } finally {
    sandbox.remove();
  }
}

/** Ending clawai and its server, in times of ending the server alone. */
async function measureEndings(sandbox: Sandbox): Promise<Row[]> {
  const recording = [process.execPath, support('recording-server.mjs'), sandbox.path('seen')] as const;
  const listening = [
    process.execPath,
    sandbox.write(
      'listening.mjs',
      `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('{"jsonrpc":"2.0","method":"up"}');`,
    ),
  ] as const;
  const stubborn = [process.execPath, support('stubborn-server.mjs')] as const;
  const close = (running: Running): Promise<unknown> => running.close();
  const kill = (running: Running): Promise<unknown> => {
    running.kill('SIGTERM');
    return running.ended;
  };
  const policy = sandbox.write('policy.toml', '[defaults]\naction = "allow"\n');
  const through = (server: readonly string[]): Running => sandbox.clawai('proxy', '--policy', policy, '--', ...server);
  const alone = (server: readonly [string, ...string[]]): Running =>
    new Running(server, { env: sandbox.env, cwd: sandbox.folder });
  const took = (start: () => Running, end: (running: Running) => Promise<unknown>, isAsked: boolean): Promise<number> =>
    inRounds(async () => {
      const running = start();
      if (isAsked) running.send(`${ping(1)}\n`);
      await running.lines(1);
      return timeOf(() => end(running));
    });
  const row = async (name: string, server: readonly [string, ...string[]], end: (running: Running) => Promise<unknown>) => {
    const isAsked = server === recording;
    const pipe = await took(() => alone(server), end, isAsked);
    const clawai = await took(() => through(server), end, isAsked);
    return { name, unit: '× alone', value: clawai / pipe, pipe: `${pipe.toFixed(0)} ms`, clawai: `${clawai.toFixed(0)} ms` };
  };
  return [
    atMost(8, await row('end of input', recording, close)),
    atMost(8, await row('SIGTERM, to a server that listens to it', listening, kill)),
    atMost(400, {
      name: 'SIGTERM, to a server that ignores it',
      unit: 'ms',
      value: await took(() => through(stubborn), kill, false),
    }),
  ];
}

/** What it takes to find out that another process has locked the store. */
function measureRefusal(sandbox: Sandbox): Row {
  const file = sandbox.path('held.db');
  const options = { file, writerVersion: '1', sync: 'normal' } as const;
  const [holder, other] = [new SqliteStore(options), new SqliteStore(options)];
  holder.begin();
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    other.begin();
    return performance.now() - started;
  });
  holder.rollback();
  for (const store of [holder, other]) store.close();
  return atMost(20, { name: 'until a store that another process has is given up', unit: 'ms', value: median(times) });
}

/** How late what a server says comes while a call waits for the store, in times of how late it comes else. */
async function measureTicks(sandbox: Sandbox): Promise<Row> {
  const guarded = new Guarded(sandbox, { server: [process.execPath, sandbox.write('ticking.mjs', TICKING)] });
  const late: number[] = [];
  guarded.process.output.on('data', (chunk: Buffer) => {
    const now = performance.timeOrigin + performance.now();
    for (const [, at] of chunk.toString().matchAll(/"at":([\d.]+)/g)) late.push(now - Number(at));
  });
  await guarded.call(1);
  await rest(500);
  const lateness = async (): Promise<number> => {
    late.length = 0;
    await rest(1000);
    return late.toSorted((a, b) => a - b)[Math.floor(late.length * 0.95)] ?? Infinity;
  };
  const free = await lateness();
  const holder = await StoreHolder.hold(sandbox);
  guarded.send(call(2));
  const taken = await lateness();
  await holder.release();
  await guarded.process.close();
  const sides = { pipe: `${free.toFixed(2)} ms`, clawai: `${taken.toFixed(2)} ms` };
  return atMost(20, {
    name: 'what a server says while a call waits for the store, p95 late',
    unit: '× free',
    value: taken / free,
    ...sides,
  });
}

async function inRounds(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await measure());
  return median(times);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
