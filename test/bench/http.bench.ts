import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureFlatness, measureOpenStreams } from './http/memory.ts';
import { REQUESTS } from './http/messages.ts';
import { measureBigCalls, measureLogins, measureRates } from './http/rates.ts';
import { measureSse, measureStreams } from './http/streams.ts';
import { Stage, type StageOptions } from './http/targets.ts';
import type { Row } from './row.ts';

/**
 * Measures `clawai serve` against a bare TCP pipe, nginx and two libraries for proxies, all before the same server. Where there are two
 * cores, the middlemen have one and the server and the load the other. Takes about seven minutes.
 */
export async function httpBench(): Promise<Row[]> {
  // Apart: what has memory measured gives back all it can, compiled code as well, and would then be measured while it compiles that again.
  const memory = await onStage([measureOpenStreams, measureFlatness]);
  const speed = await onStage([measureRates, measureStreams]);
  const sse = await onStage([measureSse], { path: 'sse' });
  const logins = await onStage([measureLogins], { path: 'managed', names: ['clawai', 'unmanaged'] });
  const policy = readFileSync(DEFAULT_POLICY, 'utf8');
  const big = await onStage([measureBigCalls], { names: ['pipe', 'httpxy', 'clawai'], policy });
  return [...memory.rows, ...speed.rows, ...sse.rows, ...logins.rows, ...big.rows, ...speed.missing];
}

const DEFAULT_POLICY = join(import.meta.dirname, '..', '..', 'policies', 'default.toml');

type Measure = (stage: Stage) => Promise<readonly Row[]>;

async function onStage(
  measures: readonly Measure[],
  options?: StageOptions,
): Promise<{ readonly rows: readonly Row[]; readonly missing: readonly Row[] }> {
  const stage = new Stage();
  try {
    await stage.start(options);
    // What a client does first; a tool that was never listed is decided differently.
    for (const target of stage.middlemen.values()) {
      for (const kind of ['initialize', 'list'] as const) await stage.load.time(target.port, REQUESTS[kind](target), 1);
    }
    const rows: Row[] = [];
    for (const measure of measures) rows.push(...(await measure(stage)));
    const missing = [...stage.missing].map(([name, why]) => ({
      name: `${name} is missing: ${why}`,
      unit: '',
      value: Number.NaN,
    }));
    return { rows, missing };
  } finally {
    await stage.end();
  }
}
