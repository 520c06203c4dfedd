import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { writeEveryClient } from '../support/every-client.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const ROUNDS = 5;
const SERVERS = 200;
const MEGABYTE = 1024 * 1024;
const BIG = 20 * MEGABYTE;

/** Says at the end how much memory the process took at most, in KiB, and how much processor time, in microseconds. */
const REPORT = `
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    process.stderr.write('\\nused ' + maxRSS + ' ' + (userCPUTime + systemCPUTime) + '\\n');
  });
`;
const MAIN = `import(${JSON.stringify(new URL('../../dist/main.mjs', import.meta.url).href)}).then(({ main }) => main(process.argv.slice(1)));`;

interface Run {
  readonly ms: number;
  /** Processor time in microseconds. */
  readonly cpu: number;
  readonly bytes: number;
}

/** What wrapping costs beyond starting clawai: many files of many servers, and one big file. */
export async function wrapBench(): Promise<Row[]> {
  const many = await inHome(writeMany, async (home) => {
    const runs = await measure(home, ['wrap', '--all', '--dry-run']);
    const name = `wrap --all --dry-run, every client's file, ${SERVERS} servers`;
    return [
      atMost(500, {
        name: `${name}, added`,
        unit: 'ms',
        value: runs.clawai.ms - runs.bare.ms,
        pipe: `${runs.bare.ms.toFixed(0)} ms`,
        clawai: `${runs.clawai.ms.toFixed(0)} ms`,
      }),
      { name: `${name}, processor time`, unit: '× node -e 0', value: runs.clawai.cpu / runs.node.cpu },
    ];
  });
  const big = await inHome(writeBig, async (home) => {
    // Each round edits the file anew.
    const runs = await measure(home, ['wrap', '--all'], () => {
      rmSync(join(home, '.local'), { recursive: true });
      writeBig(home);
    });
    return [
      atMost(1000, {
        name: `wrap --all, one ${BIG / MEGABYTE} MiB file, added`,
        unit: 'ms',
        value: runs.clawai.ms - runs.bare.ms,
        pipe: `${runs.bare.ms.toFixed(0)} ms`,
        clawai: `${runs.clawai.ms.toFixed(0)} ms`,
      }),
      atMost(10, {
        name: `wrap --all, one ${BIG / MEGABYTE} MiB file, peak memory`,
        unit: '× file',
        value: runs.clawai.bytes / BIG,
      }),
    ];
  });
  return [...many, ...big];
}

async function inHome<T>(fill: (home: string) => void, use: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'clawai-bench-'));
  try {
    fill(home);
    return await use(home);
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** A command in turn with starts of Node and of clawai, and `after` each, which is not measured. */
async function measure(
  home: string,
  words: readonly string[],
  after?: () => void,
): Promise<Readonly<Record<'node' | 'bare' | 'clawai', Run>>> {
  const runs: Readonly<Record<'node' | 'bare' | 'clawai', Run[]>> = { node: [], bare: [], clawai: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const node = await run(home);
    const bare = await run(home, ['--version']);
    const clawai = await run(home, words);
    after?.();
    // The first one fills caches.
    if (round === 0) continue;
    runs.node.push(node);
    runs.bare.push(bare);
    runs.clawai.push(clawai);
  }
  const middle = (all: readonly Run[]): Run => ({
    ms: median(all.map(({ ms }) => ms)),
    cpu: median(all.map(({ cpu }) => cpu)),
    bytes: median(all.map(({ bytes }) => bytes)),
  });
  return { node: middle(runs.node), bare: middle(runs.bare), clawai: middle(runs.clawai) };
}

/** @param words undefined for Node alone */
async function run(home: string, words?: readonly string[]): Promise<Run> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--eval', `${REPORT}${words === undefined ? '' : MAIN}`, '--', ...(words ?? [])], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise((settle) => child.once('close', settle));
  const ms = performance.now() - started;
  const [, peak, cpu] = /^used (\d+) (\d+)$/m.exec(said) ?? [];
  if (code !== 0 || cpu === undefined) throw new Error(`clawai ${words?.join(' ')} ended with ${String(code)}: ${said}`);
  return { ms, cpu: Number(cpu), bytes: Number(peak) * 1024 };
}

/** Three servers for every client, and the others in profiles of VS Code, of which there may be any number. */
function writeMany(home: string): void {
  const files = writeEveryClient({ platform: 'linux', home, env: {} }, home);
  const left = SERVERS - 3 * files.length;
  const profiles = Array.from({ length: left }, (_, n) => [`profile-${n % 5}`, `server-${n}`] as const);
  for (const [profile, names] of Map.groupBy(profiles, ([name]) => name)) {
    const entries = names.map(([, name]) => [name, { command: 'npx', args: ['-y', `@example/${name}`], env: { TOKEN: 'x' } }]);
    const text = JSON.stringify({ servers: Object.fromEntries(entries) }, undefined, 2);
    write(join(home, '.config/Code/User/profiles', profile, 'mcp.json'), text);
  }
}

/** As Claude Code leaves it after years: mostly histories of projects, some of which have servers of their own. */
function writeBig(home: string): void {
  const history = { display: 'fix the "tests" in src\\main.ts, then run them again\n'.repeat(4), pastedContents: {} };
  const each = JSON.stringify(history, undefined, 2).length + 40;
  const entries = Math.floor(BIG / each / 100);
  const project = (i: number): object => ({
    allowedTools: [],
    history: Array.from({ length: entries }, () => history),
    mcpServers: i % 10 === 0 ? { [`local-${i}`]: { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: {} } } : {},
  });
  const projects = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`/home/me/project-${i}`, project(i)]));
  const servers = { github: { type: 'stdio', command: 'npx', args: ['-y', 'y'], env: {} } };
  let text = JSON.stringify({ numStartups: 1, mcpServers: servers, projects }, undefined, 2);
  text = text.replace(
    '"numStartups": 1',
    `"numStartups": 1, "padding": ${JSON.stringify('x'.repeat(Math.max(0, BIG - text.length)))}`,
  );
  write(resolve(home, '.claude.json'), text);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
