import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { residentMemory, type Target } from '../http/targets.ts';
import { atMost, type Row } from '../row.ts';
import { median } from '../statistics.ts';
import { ask } from './messages.ts';
import { ALLOWED_COMMAND } from './policy.ts';
import { type LlmStage, type Middleman, MIDDLEMEN } from './stage.ts';
import { readTimed } from './timed-stream.ts';

const STREAMS = 200;
const FEW = 4;
const MIB = 1024 * 1024;
const BIG = 10 * MIB;

/** What open answers hold. To be asked for before any load: what that leaves free would take them in. */
export async function measureOpenAnswers(stage: LlmStage): Promise<Row[]> {
  const rows: Row[] = [];
  // Windows has no signals, which ask for memory to be given back.
  if (process.platform === 'win32') return rows;
  for (const name of MIDDLEMEN) rows.push(await measureOpen(stage, name));
  return rows.toSorted((a, b) => Number(b.ok !== undefined) - Number(a.ok !== undefined));
}

async function measureOpen(stage: LlmStage, name: Middleman): Promise<Row> {
  const { load } = stage;
  const target = stage.target(name);
  const template = ask(target, { plan: 'open' });
  // The first ones load what all of them need.
  await load.open(target.port, template, FEW);
  await load.close();
  const idle = await residentMemory(target);
  await load.open(target.port, template, STREAMS);
  const open = await residentMemory(target);
  await load.close();
  const what = `${STREAMS} open answers, memory over idle`;
  const row = { name: name === 'clawai' ? what : `reference: ${name}, ${what}`, unit: 'MiB', value: open - idle };
  const sides = `${idle.toFixed(0)} → ${open.toFixed(0)} MiB`;
  return name === 'clawai' ? atMost(60, { ...row, clawai: sides }) : { ...row, pipe: sides };
}

/** Processes that are each given one big call: when the engine collects is chance, and half as much again. */
const PROCESSES = 3;

/** What one call with a big argument costs a process that has done little before. */
export async function measureBigCall(stage: LlmStage): Promise<Row[]> {
  if (process.platform !== 'linux') return [];
  const measured: BigCall[] = [];
  while (measured.length < PROCESSES) measured.push(await takeBigCall(stage, stage.file(`loop-delay-${measured.length}`)));
  const sizes = measured.map(({ before, peak }) => ((peak - before) * MIB) / BIG);
  const what = `${stage.wire.name}: a call with ${BIG / MIB} MiB of arguments`;
  return [
    atMost(4, {
      name: `${what}, memory at its peak over before, median of ${PROCESSES} fresh processes`,
      unit: '× its size',
      value: median(sizes),
      clawai: `at most ${Math.max(...sizes).toFixed(2)}`,
    }),
    {
      name: `${what}, of ${median(measured.map(({ took }) => took)).toFixed(0)} ms in all, the longest in which nothing else ran`,
      unit: 'ms',
      value: median(measured.map(({ blocked }) => blocked)),
    },
  ];
}

/** Memory in MiB, times in milliseconds. */
interface BigCall {
  readonly before: number;
  readonly peak: number;
  readonly took: number;
  readonly blocked: number;
}

async function takeBigCall(stage: LlmStage, file: string): Promise<BigCall> {
  const watched = { preload: join(import.meta.dirname, 'loop-delay.mjs'), env: { CLAWAI_BENCH_LOOP: file } };
  const target = await stage.startFresh('[limits]\nframe = "64 MiB"\n', watched);
  await readTimed(target, { plan: 'calls', count: FEW, command: ALLOWED_COMMAND }, stage.wire);
  const before = await residentMemory(target);
  writeFileSync(`/proc/${target.pid}/clear_refs`, '5');
  await readLoopDelay(target, file);
  const started = performance.now();
  const { text } = await readTimed(target, { plan: 'big', size: BIG }, stage.wire);
  const took = performance.now() - started;
  if (text.length < BIG) throw new Error('the big call was not let through');
  return { before, peak: peakMemory(target), took, blocked: await readLoopDelay(target, file) };
}

/** Highest resident memory in MiB since it was last cleared. */
function peakMemory({ pid }: Target): number {
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function readLoopDelay({ pid }: Target, file: string): Promise<number> {
  process.kill(pid, 'SIGWINCH');
  await setTimeout(200);
  return Number(readFileSync(file, 'utf8'));
}
