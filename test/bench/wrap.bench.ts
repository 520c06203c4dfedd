import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const ROUNDS = 5;
const FILES = 30;
const SERVERS = 200;
const MEGABYTE = 1024 * 1024;
const BIG = 20 * MEGABYTE;

/** Runs the bundle and says at its end how much memory it took at most, in KiB. */
const RUNNER = `
  process.on('exit', () => process.stderr.write('\\npeak ' + process.resourceUsage().maxRSS + '\\n'));
  import(${JSON.stringify(new URL('../../dist/main.mjs', import.meta.url).href)}).then(({ main }) => main(process.argv.slice(1)));
`;

interface Run {
  readonly ms: number;
  readonly bytes: number;
}

/** What wrapping costs beyond starting clawai: many files of many servers, and one big file. */
export async function wrapBench(): Promise<Row[]> {
  const many = await inHome(writeMany, async (home) => {
    const runs = await measure(home, ['wrap', '--all', '--dry-run']);
    return atMost(500, {
      name: `wrap --all --dry-run, ${FILES} files with ${SERVERS} servers, added`,
      unit: 'ms',
      value: runs.clawai.ms - runs.bare.ms,
      pipe: `${runs.bare.ms.toFixed(0)} ms`,
      clawai: `${runs.clawai.ms.toFixed(0)} ms`,
    });
  });
  const big = await inHome(writeBig, async (home) => {
    // Each round edits the file anew: wrapping and unwrapping in turn.
    const runs = await measure(home, ['wrap', '--all'], ['unwrap', '--all']);
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
  return [many, ...big];
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

/** A command in turn with a bare start, and `after` each, which is not measured. */
async function measure(
  home: string,
  words: readonly string[],
  after?: readonly string[],
): Promise<Readonly<Record<'bare' | 'clawai', Run>>> {
  const runs: Readonly<Record<'bare' | 'clawai', Run[]>> = { bare: [], clawai: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await run(home, ['--version']);
    const clawai = await run(home, words);
    if (after !== undefined) await run(home, after);
    // The first one fills caches.
    if (round === 0) continue;
    runs.bare.push(bare);
    runs.clawai.push(clawai);
  }
  const middle = (all: readonly Run[]): Run => ({
    ms: median(all.map(({ ms }) => ms)),
    bytes: median(all.map(({ bytes }) => bytes)),
  });
  return { bare: middle(runs.bare), clawai: middle(runs.clawai) };
}

async function run(home: string, words: readonly string[]): Promise<Run> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--eval', RUNNER, '--', ...words], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise((settle) => child.once('close', settle));
  const ms = performance.now() - started;
  const peak = /^peak (\d+)$/m.exec(said)?.[1];
  if (code !== 0 || peak === undefined) throw new Error(`clawai ${words.join(' ')} ended with ${String(code)}: ${said}`);
  return { ms, bytes: Number(peak) * 1024 };
}

/** Most in profiles of VS Code, of which there may be any number, and the others as people have them. */
function writeMany(home: string): void {
  const names = [
    '.cursor/mcp.json',
    '.config/Claude/claude_desktop_config.json',
    '.claude.json',
    '.codeium/windsurf/mcp_config.json',
  ];
  for (let i = names.length; i < FILES; i++) names.push(`.config/Code/User/profiles/p${i}/mcp.json`);
  for (const [i, name] of names.entries()) {
    const count = Math.ceil((SERVERS - i) / FILES);
    const entries = Array.from({ length: count }, (_, n) => [
      `server-${i}-${n}`,
      { command: 'npx', args: ['-y', `@example/server-${n}`], env: { TOKEN: 'x' } },
    ]);
    const key = name.includes('/Code/') ? 'servers' : 'mcpServers';
    write(join(home, name), JSON.stringify({ [key]: Object.fromEntries(entries) }, undefined, 2));
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
