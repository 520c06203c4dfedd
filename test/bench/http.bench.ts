import { measureFlatness, measureOpenStreams } from './http/memory.ts';
import { REQUESTS } from './http/messages.ts';
import { measureRates } from './http/rates.ts';
import { measureStreams } from './http/streams.ts';
import { Stage } from './http/targets.ts';
import type { Row } from './row.ts';

/**
 * Measures `clawai serve` against a bare TCP pipe, nginx and two libraries for proxies, all before the same server. Where there are two
 * cores, the middlemen have one and the server and the load the other. Takes about five minutes.
 */
export async function httpBench(): Promise<Row[]> {
  const stage = new Stage();
  try {
    await stage.start();
    // What a client does first; a tool that was never listed is decided differently.
    for (const target of stage.middlemen.values()) {
      for (const kind of ['initialize', 'list'] as const) await stage.load.time(target.port, REQUESTS[kind](target), 1);
    }
    const rows: Row[] = [];
    for (const measure of [measureOpenStreams, measureRates, measureStreams, measureFlatness])
      rows.push(...(await measure(stage)));
    const missing = [...stage.missing].map(([name, why]) => ({
      name: `${name} is missing: ${why}`,
      unit: '',
      value: Number.NaN,
    }));
    return [...rows, ...missing];
  } finally {
    await stage.end();
  }
}
