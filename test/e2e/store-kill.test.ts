/** @module-tag long */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, rest } from '../support/guarded.ts';
import { runs } from '../support/runs.ts';
import { chainFaults } from '../support/stored.ts';

const sandbox = useSandbox();

const TIMES = runs(20);
/** Calls that are on their way at once. */
const AHEAD = 200;

/** Sends calls until it is killed, `AHEAD` of them before the first answer; resolves when it is gone. */
async function floodUntilKilled(guarded: Guarded, run: number, after: number): Promise<void> {
  let sent = 0;
  let answered = 0;
  const more = (count: number): void => {
    const lines = Array.from({ length: count }, () => call(`${run}.${sent++}`, { path: `/tmp/${sent}` }));
    guarded.send(...lines);
  };
  guarded.process.output.on('data', (chunk: Buffer) => {
    const lines = chunk.toString().split('\n').length - 1;
    answered += lines;
    if (sent - answered < AHEAD && lines > 0) more(lines);
  });
  // Killed some time after the first call, since before it nothing can be lost.
  more(AHEAD);
  await guarded.process.until(() => answered > 0);
  await rest(after);
  guarded.process.kill('SIGKILL');
  await guarded.process.ended;
}

/** The server may still write down what was in its pipe. */
async function settledRecord(file: string): Promise<string[]> {
  let before = -1;
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text.length === before) return text.split('\n').slice(0, -1);
    before = text.length;
    await rest(30);
  }
}

it(
  `hazard 51: killed at any moment (${TIMES} times): what reached the server is on record`,
  async () => {
    const reached: string[] = [];
    for (let run = 0; run < TIMES; run++) {
      const guarded = new Guarded(sandbox.current, { name: `s${run}` });
      await floodUntilKilled(guarded, run, Math.random() * 60);
      for (const line of await settledRecord(guarded.record)) reached.push((JSON.parse(line) as { id: string }).id);
    }
    const recorded = sandbox.current.decided().map((event) => String(event['jsonrpc_id']));
    const known = new Set(recorded);
    expect(known.size).toBe(recorded.length);
    expect(reached.length).toBeGreaterThan(TIMES * 50);
    expect(reached.filter((id) => !known.has(id))).toEqual([]);
    expect(chainFaults(sandbox.current.storeFile)).toEqual([]);
    const verify = await sandbox.current.clawai('audit', 'verify').close();
    expect([verify.code, verify.stderr]).toEqual([0, '']);
  },
  TIMES * 2000 + 60_000,
);
