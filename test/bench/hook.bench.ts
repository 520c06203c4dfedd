import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'bin', 'clawai.mjs');
const STARTS = 21;
const REQUESTS = 200;

const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\nargs.command = "**forbidden**"\n';

/** What Claude Code asks. */
function callOf(tool: string, input: object): string {
  return JSON.stringify({
    session_id: '01a21be8-e34b-70c2-8c19-6dc546e3fc89',
    transcript_path: '/tmp/transcript.jsonl',
    cwd: '/tmp',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_0123456789abcdefgh',
  });
}

const CALL = callOf('Bash', { command: 'npm test', description: 'Run the tests' });

/** One that the shipped policy asks nobody about; its rules read every path. */
const READ = callOf('Read', { file_path: '/tmp/project/src/main.ts' });

/** The time that an answer of the hook takes, for a call that a rule decides: as a process, and over HTTP. */
export async function hookBench(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'clawai-bench-'));
  try {
    const policy = join(home, 'policy.toml');
    writeFileSync(policy, POLICY);
    return [
      measureProcess(home, { policy, call: CALL, what: 'a call that a rule decides' }),
      measureProcess(home, {
        policy: join(ROOT, 'policies', 'default.toml'),
        call: READ,
        what: 'the shipped policy, a file that is read',
      }),
      await measureHttp(home, policy),
    ];
  } finally {
    rmSync(home, { recursive: true });
  }
}

interface Measured {
  readonly policy: string;
  readonly call: string;
  /** What is measured, for the row's name. */
  readonly what: string;
}

function measureProcess(home: string, { policy, call, what }: Measured): Row {
  const env = { PATH: process.env['PATH'], HOME: home };
  const time = (words: readonly string[]): number => {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, words, { env, cwd: home, input: call, encoding: 'utf8' });
    if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${String(status)}: ${stderr}`);
    return performance.now() - started;
  };
  const kinds = { pipe: ['-e', '0'], clawai: [BIN, 'hook', 'claude-code', '--policy', policy] };
  const times: Record<keyof typeof kinds, number[]> = { pipe: [], clawai: [] };
  for (let round = -3; round < STARTS; round++) {
    for (const kind of ['pipe', 'clawai'] as const) {
      const took = time(kinds[kind]);
      if (round >= 0) times[kind].push(took);
    }
  }
  const [bare, own] = [median(times.pipe), median(times.clawai)];
  return atMost(60, {
    name: `hook as a process, ${what}, more than \`node -e 0\``,
    unit: 'ms',
    value: own - bare,
    pipe: `${bare.toFixed(1)} ms`,
    clawai: `${own.toFixed(1)} ms`,
  });
}

async function measureHttp(home: string, policy: string): Promise<Row> {
  const empty = createServer((asked, response) => {
    asked.resume().on('end', () => response.writeHead(200, { 'content-length': 0 }).end());
  });
  await new Promise<void>((listening) => empty.listen(0, '127.0.0.1', listening));
  const served = spawn(process.execPath, [BIN, 'serve', '--listen', '127.0.0.1:0', '--json', '--policy', policy], {
    env: { PATH: process.env['PATH'], HOME: home },
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const line = await new Promise<string>((read) => served.stdout.setEncoding('utf8').once('data', read));
    const { hooks } = JSON.parse(line) as { readonly hooks: readonly { readonly url: string }[] };
    const urls = { pipe: `http://127.0.0.1:${(empty.address() as AddressInfo).port}/`, clawai: hooks[0]?.url ?? '' };
    const times: Record<keyof typeof urls, number[]> = { pipe: [], clawai: [] };
    // Claude Code keeps its connection open, too.
    const agents = { pipe: new Agent({ keepAlive: true }), clawai: new Agent({ keepAlive: true }) };
    for (let round = -20; round < REQUESTS; round++) {
      for (const kind of ['pipe', 'clawai'] as const) {
        const took = await post(urls[kind], agents[kind]);
        if (round >= 0) times[kind].push(took);
      }
    }
    const [bare, own] = [median(times.pipe), median(times.clawai)];
    return atMost(3, {
      name: 'hook over HTTP, the same call on an open connection, more than an empty handler',
      unit: 'ms',
      value: own - bare,
      pipe: `${bare.toFixed(2)} ms`,
      clawai: `${own.toFixed(2)} ms`,
    });
  } finally {
    served.kill();
    empty.closeAllConnections();
    empty.close();
  }
}

/** Asks, and returns the milliseconds until the answer is there. */
function post(url: string, agent: Agent): Promise<number> {
  const started = performance.now();
  return new Promise((answered, reject) => {
    const asked = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        if (response.statusCode !== 200 || text !== '') reject(new Error(`${String(response.statusCode)} ${text}`));
        else answered(performance.now() - started);
      });
    });
    asked.on('error', reject).end(CALL);
  });
}
