import { execFile } from 'node:child_process';
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROUNDS = 3;
const FIXTURES = 5_000;
const PER_FILE = 100;
const MUTATED = { rules: 100, fixtures: 300 } as const;

/** What `policy test` takes as a whole command: many fixtures of the shipped policy, and mutants of a policy of many rules. */
export async function fixtureRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'clawai-bench-'));
  try {
    const directory = join(folder, 'fixtures');
    mkdirSync(directory);
    writeFixtures(directory);
    writeFileSync(join(folder, 'many.toml'), manyRules());
    writeFileSync(join(folder, 'many.json'), manyFixtures());
    const shipped = ['--policy', join(ROOT, 'policies/default.toml'), '--fixture-dir', directory];
    const mutated = ['--policy', join(folder, 'many.toml'), '--fixture', join(folder, 'many.json'), '--mutate'];
    return [
      atMost(2, { name: `policy test, ${FIXTURES} fixtures`, unit: 's', value: await measure(shipped) }),
      atMost(5, {
        name: `policy test --mutate, ${MUTATED.rules} rules, ${MUTATED.fixtures} fixtures`,
        unit: 's',
        value: await measure(mutated),
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds of the whole command, its start included. Throws where it fails: then nothing was measured. */
async function measure(args: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const command = [join(ROOT, 'bin/clawai.mjs'), 'policy', 'test', ...args];
    await promisify(execFile)(process.execPath, command, { maxBuffer: 1 << 26 });
    times.push((performance.now() - start) / 1000);
  }
  return median(times);
}

/** The shipped fixtures over and over, sessions too. */
function writeFixtures(directory: string): void {
  const source = join(ROOT, 'fixtures');
  const files = readdirSync(source).filter((name) => name.endsWith('.json'));
  const all = files.flatMap((name) => {
    const value = JSON.parse(readFileSync(join(source, name), 'utf8')) as unknown;
    return Array.isArray(value) ? (value as unknown[]) : [value];
  });
  for (let first = 0; first < FIXTURES; first += PER_FILE) {
    const some = Array.from({ length: PER_FILE }, (_, index) => all[(first + index) % all.length]);
    writeFileSync(join(directory, `${first}.json`), JSON.stringify(some));
  }
}

function manyRules(): string {
  return Array.from({ length: MUTATED.rules }, (_, index) => {
    const args = index % 3 === 0 ? `args.path = ["/home/user/project/**", "**/data${index}/*.json"]\n` : '';
    return `[[rule]]\nid = "r${index}"\naction = "${index % 2 === 0 ? 'allow' : 'prompt'}"\ntool = "item${index}_*"\n${args}`;
  }).join('\n');
}

function manyFixtures(): string {
  const fixtures = Array.from({ length: MUTATED.fixtures }, (_, index) => {
    const rule = index % MUTATED.rules;
    const params = { name: `item${rule}_x`, arguments: { path: '/home/user/project/a.json', n: index } };
    return { method: 'tools/call', params, expected: rule % 2 === 0 ? 'allow' : 'prompt', expectedRule: `r${rule}` };
  });
  return JSON.stringify(fixtures);
}
