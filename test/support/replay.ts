import { Readable, Writable } from 'node:stream';
import type { Approval } from '../../src/gate/ports/approval-port.ts';
import type { Ports } from '../../src/gate/ports/ports.ts';
import { relay } from '../../src/transport/stdio/relay.ts';
import { createTestGate } from './gate.ts';
import type { Scene, Step } from './transcript.ts';
import { findDifference } from './transcript-match.ts';

/** Where a run of `length` bytes is cut into chunks: offsets, ascending. */
export type Cut = (length: number) => readonly number[];

const MOST_LINE = 1024 * 1024;

/** One direction's bytes, kept until they are asked for. */
class Sink {
  readonly stream: Writable;
  #chunks: Buffer[] = [];

  constructor() {
    this.stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#chunks.push(chunk);
        done();
      },
    });
  }

  take(): Buffer {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return bytes;
  }
}

/**
 * Replays a scene through the gate and the relays of both directions, in memory. What one side sends without a word of the other
 * is one run of bytes, and each run is cut as told.
 *
 * @returns what differed from the expectations of the scene, or undefined
 */
export async function replay(scene: Scene, cut: Cut): Promise<string | undefined> {
  const questions: ((answer: Approval) => void)[] = [];
  const asks = scene.steps.some(({ from }) => from === 'person');
  const ask: Ports['approver']['ask'] = (_call, _decision, withdrawn) =>
    new Promise((resolve) => {
      questions.push(resolve);
      withdrawn.addEventListener('abort', () => resolve('withdrawn'));
    });
  const { gate } = createTestGate(scene.policy, asks ? { approver: { ask } } : {});
  const sinks = { client: new Sink(), server: new Sink() };
  const sources = { client: new Readable({ read() {} }), server: new Readable({ read() {} }) };
  const limits = { maxLine: MOST_LINE };
  void relay({
    ...limits,
    source: sources.client,
    onward: sinks.server.stream,
    back: sinks.client.stream,
    inspect: (bytes, start, end) => gate.fromClient(bytes, start, end),
    oversized: (line) => gate.oversizedFromClient(line),
    commit: () => gate.commit(),
    ready: () => gate.ready(),
  });
  void relay({
    ...limits,
    source: sources.server,
    onward: sinks.client.stream,
    back: sinks.server.stream,
    inspect: (bytes, start, end) => gate.fromServer(bytes, start, end),
    oversized: (line) => gate.oversizedFromServer(line),
    commit: () => gate.commit(),
    ready: () => gate.ready(),
  }).then(() => sinks.client.stream.write(gate.requests.serverEnded()));

  await settled();
  for (const run of toRuns(scene.steps)) {
    const { from } = run[0] as Step;
    if (from === 'person') questions.shift()?.(run[0]?.bytes.toString() as Approval);
    else await send(run, sources[from], cut);
    await settled();
    for (const side of ['client', 'server'] as const) {
      const difference = findDifference(run, side, sinks[side].take());
      if (difference !== undefined) return `${scene.name}, ${difference}`;
    }
  }
  return undefined;
}

async function send(run: readonly Step[], source: Readable, cut: Cut): Promise<void> {
  const bytes = Buffer.concat(run.map((step) => step.bytes));
  let start = 0;
  for (const end of [...cut(bytes.length), bytes.length]) {
    // A copy, as a pipe would give it.
    if (end > start) source.push(Buffer.from(bytes.subarray(start, end)));
    start = end;
  }
  await settled();
  if (run.at(-1)?.isLast === true) source.push(null);
}

/** Steps that follow each other from one side; a person's answers stand alone. */
export function toRuns(steps: readonly Step[]): Step[][] {
  const runs: Step[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last !== undefined && step.from !== 'person' && last[0]?.from === step.from) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
