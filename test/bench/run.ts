// What clawai costs, side by side with a bare pipe, in one table.
//   node test/bench/run.ts [stdio|http|llm|store|flow|policy|replay|registry|growth|ending|wrap|hook|webhook|dashboard] [--json]
import type { Row } from './row.ts';
import { formatTable } from './table.ts';

const BENCHES: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  stdio: async () => (await import('./stdio.bench.ts')).stdioBench(),
  http: async () => (await import('./http.bench.ts')).httpBench(),
  llm: async () => (await import('./llm.bench.ts')).llmBench(),
  store: async () => (await import('./store.bench.ts')).storeBench(),
  flow: async () => (await import('./flow.bench.ts')).flowBench(),
  policy: async () => (await import('./policy.bench.ts')).policyBench(),
  replay: async () => (await import('./replay.bench.ts')).replayBench(),
  registry: async () => (await import('./registry.bench.ts')).registryBench(),
  growth: async () => (await import('./growth.bench.ts')).growthBench(),
  ending: async () => (await import('./ending.bench.ts')).endingBench(),
  hook: async () => (await import('./hook.bench.ts')).hookBench(),
  webhook: async () => (await import('./webhook.bench.ts')).webhookBench(),
  dashboard: async () => (await import('./dashboard.bench.ts')).dashboardBench(),
  wrap: async () => (await import('./wrap.bench.ts')).wrapBench(),
};

const words = process.argv.slice(2);
const asked = words.filter((word) => word !== '--json');
const unknown = asked.find((word) => !Object.hasOwn(BENCHES, word));

if (unknown !== undefined) {
  process.stderr.write(`unknown bench ${JSON.stringify(unknown)}: there are ${Object.keys(BENCHES).join(', ')}\n`);
  process.exitCode = 2;
} else {
  const rows: Row[] = [];
  for (const name of asked.length === 0 ? Object.keys(BENCHES) : asked) rows.push(...((await BENCHES[name]?.()) ?? []));
  process.stdout.write(`${words.includes('--json') ? JSON.stringify(rows, undefined, 2) : formatTable(rows)}\n`);
  // A missed budget is a finding about this machine and this moment, not a failure of the run.
}
