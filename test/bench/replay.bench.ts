import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { recordedCall, RecordedStore } from '../support/recorded-store.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const BIN = resolve(import.meta.dirname, '..', '..', 'bin', 'clawai.mjs');
const CALLS = 100_000;
const RULES = 1_000;
const ROUNDS = 3;
const SERVERS = ['files', 'mail', 'db'];
const VERBS = ['get', 'list', 'search', 'create', 'update', 'delete', 'send', 'read', 'write', 'move'];
const START = Date.UTC(2026, 0, 1);

/** What it takes to replay many calls, all of them with arguments of their own, under many rules: the whole command. Takes half a minute. */
export function replayBench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'clawai-bench-'));
  try {
    fill(join(folder, 'clawai', 'clawai.db'));
    const rules = writeRules();
    const stateful = '[flow]\naction = "deny"\n[rate_limits]\nenabled = true\ndefault_rpm = 600\n';
    return Promise.resolve([
      atMost(5, { name: 'replay of 100,000 calls, 1,000 rules', unit: 's', value: measure(folder, rules) }),
      { name: 'the same with flows and rates', unit: 's', value: measure(folder, `${stateful}${rules}`) },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fill(file: string): void {
  const store = new RecordedStore(file);
  store.edit('BEGIN');
  for (let at = 0; at < CALLS; at += 1) {
    store.add(
      recordedCall({
        id: `call-${at}`,
        timestamp: new Date(START + at * 700).toISOString(),
        session_id: `s-${at % 40}`,
        server_id: SERVERS[at % SERVERS.length],
        tool_name: `${VERBS[at % VERBS.length] ?? ''}_item${(at * 7) % (2 * RULES)}`,
        input: { path: `/home/user/project/src/file${at}.ts`, limit: 20, token: at % 50 === 0 ? '[redacted:token]' : 'none' },
        category: 'read',
        skipped: [],
      }),
    );
  }
  store.edit('COMMIT');
  store.close();
}

function writeRules(): string {
  const rules = Array.from({ length: RULES - 1 }, (_, index) => {
    const name = `${VERBS[index % VERBS.length] ?? ''}_item${index}`;
    const tool = [name, `${name}_*`, `service${index}_*`, `*_${name}`][index % 4] ?? '';
    return `[[rule]]\naction = "${index % 3 === 0 ? 'allow' : 'deny'}"\ntool = "${tool}"\n`;
  });
  return `${rules.join('')}[[rule]]\naction = "deny"\ntool = "**"\nargs."**" = ["**/.ssh/**", "~/.aws/**", "/etc/**"]\n`;
}

function measure(folder: string, policy: string): number {
  const file = join(folder, 'policy.toml');
  writeFileSync(file, policy);
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: folder };
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, [BIN, 'policy', 'replay', '--policy', file], { env, stdio: 'ignore' });
    if (status !== 1) throw new Error(`the replay ended with ${status}`);
    return (performance.now() - start) / 1000;
  });
  return median(times);
}
