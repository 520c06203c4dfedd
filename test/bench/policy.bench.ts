import picomatch from 'picomatch';

import type { Call } from '../../src/core/call.ts';
import { decide } from '../../src/core/decide/decide.ts';
import { compilePolicy } from '../../src/core/match/compile.ts';
import { compileGlob } from '../../src/core/patterns/glob.ts';
import { lintPolicy } from '../../src/policy-tools/lint/lint-policy.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import type { PathContext } from '../../src/core/match/paths-to-resolve.ts';
import { Reading } from '../../src/core/match/reading.ts';
import { findReach } from '../../src/core/self/find-reach.ts';
import { compileOwnPaths } from '../../src/core/self/own-paths.ts';
import type { Snapshot } from '../../src/core/decide/snapshot.ts';
import { floodRows } from './flood-rows.ts';
import { fixtureRows } from './fixture-rows.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const PATHS: PathContext = { home: '/home/user', cwd: '/home/user/project', platform: 'posix', remote: false };
/** About as many as there are on a machine with two clients. */
const OWN = compileOwnPaths(
  ['.config/clawai', '.local/state/clawai', '.local/lib/node_modules/clawai', '.claude.json', '.cursor/mcp.json'].map((name) => ({
    path: `/home/user/${name}`,
    real: `/home/user/${name}`,
    what: 'bench',
  })),
  PATHS.platform,
);
const NO_REAL_PATHS: ReadonlyMap<string, string> = new Map();
const ROUNDS = 31;
/** Rounds that are thrown away while the compiler warms up. */
const WARM_UP = 20;
const CALLS = 2_000;
const VERBS = ['get', 'list', 'search', 'create', 'update', 'delete', 'send', 'read', 'write', 'move'];

/**
 * Measures what a decision costs, path forms apart, that hostile values cost no more than their length, and what testing a policy takes. Takes
 * some ten seconds.
 */
export async function policyBench(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [count, budget] of [
    [10, 1],
    [100, 2],
    [1_000, 6],
  ] as const) {
    rows.push(...measureRules(count, budget));
  }
  rows.push(measureSelf(), ...measureGlobs(), measurePaths(), measureLint(), ...(await floodRows()), ...(await fixtureRows()));
  return rows;
}

function measureRules(count: number, budget: number): Row[] {
  const { text, patterns } = writePolicy(count);
  const snapshot = createSnapshot(text);
  const seen = Array.from({ length: CALLS }, (_, index) => createCall(nameFor(count, index % 200)));
  let fresh = 0;
  const check = (name: string, calls: () => readonly Call[]): Row => {
    const value = medianMicroseconds(() => calls().map(reached(snapshot)), decideReached);
    return atMost(budget, { name, unit: 'µs', value });
  };
  const matchers = patterns.map((pattern) => picomatch(pattern, { dot: true }));
  const loop = medianMicroseconds(
    () => seen.slice(0, 20),
    ({ tool = '' }) => matchers.some((matches) => matches(tool)),
  );
  return [
    check(`decide, ${count} rules, names seen before`, () => seen),
    check(`decide, ${count} rules, fresh names`, () =>
      Array.from({ length: CALLS }, (_, index) => createCall(`${nameFor(count, index)}_${(fresh += 1)}`)),
    ),
    { name: `reference: a loop over ${count} picomatch matchers`, unit: 'µs', value: loop },
  ];
}

/** Rules as people write them: whole names, beginnings, a server, an argument, now and then a wildcard in front. */
function writePolicy(count: number): { text: string; patterns: string[] } {
  const rules: string[] = [];
  const patterns: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const verb = VERBS[index % VERBS.length] ?? '';
    const tool =
      [`${verb}_item${index}`, `${verb}_item${index}_*`, `service${index}_*`, `*_${verb}_item${index}`][index % 4] ?? '';
    patterns.push(tool);
    const more = index % 5 === 0 ? 'server = "files"' : index % 5 === 1 ? 'args.force = true' : '';
    rules.push(`[[rule]]\naction = "${index % 3 === 0 ? 'allow' : 'deny'}"\ntool = "${tool}"\n${more}\n`);
  }
  return { text: rules.join('\n'), patterns };
}

function nameFor(count: number, index: number): string {
  return `${VERBS[index % VERBS.length] ?? ''}_item${(index * 7) % (count * 2)}`;
}

function createCall(tool: string): Call {
  return {
    method: 'tools/call',
    server: 'files',
    tool,
    args: { path: '/home/user/project/src/index.ts', force: false, limit: 20 },
  };
}

/** What clawai's own guard reads of a call before it is decided, whatever the policy. */
function measureSelf(): Row {
  const calls = Array.from({ length: CALLS }, () => createCall('read_file'));
  const value = medianMicroseconds(
    () => calls,
    (call) => findReach(call, new Reading(PATHS), OWN),
  );
  return { name: "what clawai's own guard reads, a path and two values", unit: 'µs', value };
}

/** A call, and what the gate knows of it when it has it decided. */
interface Reached {
  readonly call: Call;
  readonly snapshot: Snapshot;
}

/** What the guard reads is worked out beforehand, as the gate does, since the disk is asked about it. */
function reached(snapshot: Snapshot): (call: Call) => Reached {
  return (call) => ({ call, snapshot: { ...snapshot, own: OWN, reach: findReach(call, new Reading(PATHS), OWN) } });
}

function decideReached({ call, snapshot }: Reached): unknown {
  return decide(call, snapshot);
}

/** What `clawai policy lint` does besides starting. */
function measureLint(): Row {
  const result = parsePolicy(writePolicy(1_000).text, { file: 'bench.toml' });
  if (!result.ok) throw new Error('the policy of the bench is faulty');
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    lintPolicy(result.policy);
    return performance.now() - start;
  });
  return atMost(700, { name: 'lint of 1000 rules', unit: 'ms', value: median(times) });
}

function measureGlobs(): Row[] {
  const value = 'a'.repeat(100_000);
  return ['*a*a*a*b', '**a*b', '**/*a*b*', '*a*a*a*b*'].map((pattern) => {
    const glob = compileGlob(pattern);
    const times = Array.from({ length: ROUNDS }, () => {
      const start = performance.now();
      glob.matches(value);
      return performance.now() - start;
    });
    return atMost(10, { name: `glob ${pattern} against 100 KB of "a"`, unit: 'ms', value: median(times) });
  });
}

function measurePaths(): Row {
  const snapshot = createSnapshot(`
    [[rule]]
    action = "deny"
    tool = "**"
    args."**" = ["**/.ssh/**", "~/.aws/**", "/etc/**"]
    [[rule]]
    action = "allow"
    tool = "read_*"
    args.path = "/home/user/project/**"`);
  const calls = Array.from({ length: CALLS }, () => createCall('read_file'));
  const value = medianMicroseconds(() => calls.map(reached(snapshot)), decideReached);
  return { name: 'decide with path forms, 4 path globs', unit: 'µs', value };
}

function createSnapshot(text: string): Snapshot {
  const result = parsePolicy(text, { file: 'bench.toml' });
  if (!result.ok) throw new Error(`the bench's policy is faulty: ${JSON.stringify(result)}`);
  return { policy: compilePolicy(result.policy), paths: PATHS, realPaths: NO_REAL_PATHS };
}

/** Median over the rounds of the mean time of one call in microseconds. The calls are made before the clock starts. */
function medianMicroseconds<Item>(create: () => readonly Item[], run: (item: Item) => unknown): number {
  const times: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const items = create();
    const start = performance.now();
    for (const item of items) run(item);
    if (round >= 0) times.push(((performance.now() - start) * 1_000) / items.length);
  }
  return median(times);
}
