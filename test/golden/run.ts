// Holds what clawai decides and records against what it decided and recorded when `golden.json` was written: for whoever moves code about and
// means to change nothing. It knows the program by its command line alone, so that no move touches it.
//   npm run golden [-- --write]
// Exit code 1 where something differs. Whoever changes a policy, a guard or an event on purpose writes it anew, in the same commit.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type GoldenCall, goldenCalls } from './calls.ts';
import { guardedStreams } from './streams.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'bin', 'clawai.mjs');
const GOLDEN = join(import.meta.dirname, 'golden.json');
const POLICIES = readdirSync(join(ROOT, 'policies')).filter((name) => name.endsWith('.toml'));
const SEED = 20_261_125;
/** Calls that are decided by each policy, in files of so many; calls that are made; and answers that models of each API stream. */
const COUNT = { calls: 20_000, file: 2000, made: 2000, streams: 500 } as const;

/** Answers everything, and lists no tools. */
const SERVER = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === 'initialize'
    ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : { content: [{ type: 'text', text: 'done' }] };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;

/** What is another one each time. */
const VARYING: ReadonlySet<string> = new Set(
  'id call_id request_id timestamp session_id latency_us policyHash policy_hash fixture file audit durationMs'.split(' '),
);

const folder = mkdtempSync(join(tmpdir(), 'clawai-golden-'));
const env = { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, NO_COLOR: '1' };

function digest(value: unknown): string {
  const json = JSON.stringify(value, (key, member: unknown) => (VARYING.has(key) ? undefined : member));
  return createHash('sha256').update(json.replaceAll(folder, '').replaceAll(ROOT, '')).digest('hex').slice(0, 16);
}

function start(words: readonly string[]) {
  return spawn(process.execPath, [BIN, ...words], { env, cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
}

async function clawai(...words: readonly string[]): Promise<string> {
  const child = start(words);
  child.stdin.end();
  return text(child.stdout);
}

/** How each call of a file is decided, by which stage and rule. */
async function explain(policy: string, file: string): Promise<readonly unknown[]> {
  const stdout = await clawai('policy', 'explain', '--policy', policy, '--fixture', file, '--json');
  if (stdout === '') throw new Error(`${file} was not explained`);
  return (JSON.parse(stdout) as { readonly explanations: readonly unknown[] }).explanations;
}

async function decisions(golden: Record<string, string>): Promise<void> {
  const calls = goldenCalls(SEED, COUNT.calls);
  const file = join(folder, 'calls.json');
  const fixtures = readdirSync(join(ROOT, 'fixtures')).filter((name) => name.endsWith('.json'));
  for (const name of POLICIES) {
    const policy = join(ROOT, 'policies', name);
    for (let at = 0; at < calls.length; at += COUNT.file) {
      writeFileSync(file, JSON.stringify(calls.slice(at, at + COUNT.file)));
      golden[`${name}, calls from ${at}`] = digest(await explain(policy, file));
    }
    const explained: unknown[] = [];
    for (const fixture of fixtures) explained.push(await explain(policy, join(ROOT, 'fixtures', fixture)));
    golden[`${name}, fixtures`] = digest(explained);
    process.stderr.write(`${basename(name)} …\n`);
  }
}

/** What is recorded, and what goes on, of calls that are made one after another. Nobody is asked, and nothing hangs on time. */
async function events(golden: Record<string, string>): Promise<void> {
  const toml = readFileSync(join(ROOT, 'policies', 'default.toml'), 'utf8').replace('[flow]\n', '[flow]\nenabled = false\n');
  const policy = join(folder, 'policy.toml');
  writeFileSync(policy, toml);
  const made = goldenCalls(SEED + 1, COUNT.made).filter(({ server }) => server !== 'native');
  const answers = await play(
    ['proxy', '--observe', '--server', 'golden', '--policy', policy, '--', process.execPath, '-e', SERVER],
    made,
  );
  golden['answers'] = digest(answers);
  await recorded(golden, 'events');
}

/** What is recorded, and what comes through, of answers that models stream. */
async function streams(golden: Record<string, string>): Promise<void> {
  env.XDG_STATE_HOME = join(folder, 'streams');
  const got = await guardedStreams({ bin: BIN, env, folder }, { seed: SEED + 2, count: COUNT.streams });
  for (const [dialect, answers] of Object.entries(got)) golden[`streams of ${dialect}`] = digest(answers);
  await recorded(golden, 'events of streams');
}

async function recorded(golden: Record<string, string>, what: string): Promise<void> {
  const stdout = await clawai('log', '--json', '--all', '-v');
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const known = lines.map((line) => JSON.parse(line) as { readonly type: string });
  for (const [type, of] of Map.groupBy(known, (event) => event.type)) golden[`${what} of type ${type}`] = digest(of);
}

async function play(words: readonly string[], calls: readonly GoldenCall[]): Promise<readonly string[]> {
  const child = start(words);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (message: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    return String((await lines.next()).value);
  };
  const answers = [
    await ask({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'golden', version: '1' } },
    }),
  ];
  for (const [at, { method, params }] of calls.entries()) answers.push(await ask({ id: at + 1, method, params }));
  child.stdin.end();
  await once(child, 'close');
  return answers;
}

const golden: Record<string, string> = {};
try {
  await events(golden);
  await streams(golden);
  await decisions(golden);
} finally {
  rmSync(folder, { recursive: true });
}
if (process.argv.includes('--write')) writeFileSync(GOLDEN, `${JSON.stringify(golden, undefined, 2)}\n`);
else {
  const before = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Record<string, string>;
  const differing = [...new Set([...Object.keys(before), ...Object.keys(golden)])].filter(
    (name) => before[name] !== golden[name],
  );
  for (const name of differing) process.stdout.write(`differs: ${name}\n`);
  process.stdout.write(`${Object.keys(golden).length} digests, ${differing.length} differ\n`);
  process.exitCode = differing.length === 0 ? 0 : 1;
}
