import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestGate } from '../support/gate.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const POLICY = readFileSync(join(import.meta.dirname, '..', '..', 'policies', 'default.toml'), 'utf8');
const ROUNDS = 5;

/** What a megabyte of values in one call costs under the shipped default, in times of what it takes to parse it. */
export async function floodRows(): Promise<Row[]> {
  return [
    await row(
      '240,000 equal texts',
      Array.from({ length: 240_000 }, () => 'a'),
    ),
    await row(
      '240,000 equal numbers',
      Array.from({ length: 240_000 }, () => 1),
    ),
    await row(
      '60,000 different paths',
      Array.from({ length: 60_000 }, (_, i) => `~${i}/..`),
    ),
  ];
}

async function row(name: string, values: readonly unknown[]): Promise<Row> {
  const params = { name: 'x', arguments: { values } };
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { client } = createTestGate(POLICY);
    const parsed = timeSince(() => JSON.parse(line) as unknown);
    const started = performance.now();
    await client(line);
    times.push((performance.now() - started) / parsed);
  }
  return atMost(60, { name: `a call with ${name}, in times of JSON.parse`, unit: '×', value: median(times) });
}

function timeSince(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
