import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const BIN = resolve(import.meta.dirname, '..', '..', 'bin');

/** A bundle that tells what it was started with, and does what its first argument says. */
const BUNDLE = `
import module from 'node:module';
export async function main(argv) {
  const [task] = argv;
  if (task === 'exit') process.exitCode = Number(argv[1]);
  else if (task === 'die') process.kill(process.pid, argv[1]);
  else if (task === 'echo') process.stdin.pipe(process.stdout);
  else if (task === 'wait') {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => { console.log(signal); process.exit(42); });
    setTimeout(() => process.exit(9), 10_000);
    console.log('waiting');
  } else {
    const { env, execPath, version } = process;
    console.log(JSON.stringify({ argv, execPath, version, env, cache: module.getCompileCacheDir() ?? null }));
  }
}
`;

/** What the bundle of this test prints when it is given no task. */
export interface Told {
  readonly argv: string[];
  readonly execPath: string;
  readonly version: string;
  readonly env: Record<string, string>;
  readonly cache: string | null;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LaunchOptions {
  /** The Node that runs the launcher, with flags of its own. */
  readonly node?: readonly string[];
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** Sent to the launcher once it has printed something. */
  readonly signal?: NodeJS.Signals;
  readonly cwd?: string;
}

/** A copy of the launcher in a folder of its own, with a bundle that reports back and a home that holds nothing. */
export interface Installation {
  readonly root: string;
  readonly home: string;
  readonly launch: (args: readonly string[], options?: LaunchOptions) => Promise<Ended>;
}

/** Creates a temporary installation of the launcher below `<temp>/…/lib/clawai`. */
export function createInstallation(): Installation {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-launch-')));
  const root = join(top, 'lib', 'clawai');
  const home = join(top, 'home');
  mkdirSync(home, { recursive: true });
  cpSync(BIN, join(root, 'bin'), { recursive: true });
  writeText(join(root, 'dist', 'main.mjs'), BUNDLE);
  const launch: Installation['launch'] = (args, options = {}) => {
    const [command = process.execPath, ...flags] = options.node ?? [];
    const env = { HOME: home, PATH: '', ...options.env };
    return run([command, ...flags, join(root, 'bin', 'clawai.mjs'), ...args], { ...options, env });
  };
  return { root, home, launch };
}

function run([command = '', ...args]: readonly string[], { env, stdin, signal, cwd }: LaunchOptions): Promise<Ended> {
  return new Promise((settle, reject) => {
    const child = spawn(command, args, { env: env ?? {}, cwd, timeout: 60_000 });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout === '' && signal !== undefined) child.kill(signal);
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code, endedBy) => settle({ code, signal: endedBy, stdout, stderr }));
    child.stdin.on('error', () => {}); // it may end without reading; what it printed and its code tell
    child.stdin.end(stdin ?? '');
  });
}

/** Reads what the bundle told; fails the test with the launcher's own words where it told nothing. */
export function toldBy({ stdout, stderr }: Ended): Told {
  if (stdout === '') throw new Error(`the bundle did not run: ${stderr}`);
  return JSON.parse(stdout) as Told;
}

/** Writes an executable that claims to be `version` and runs `runs` instead of itself; it leaves `<path>.asked` when asked for its version. */
export function writeFakeNode(path: string, { version, runs = process.execPath }: { version: string; runs?: string }): string {
  const script = `#!/bin/sh
if [ "$1" = --version ]; then : > "$0.asked"; echo ${version}; exit 0; fi
export FAKE_NODE="$0"
exec ${runs} "$@"
`;
  return writeExecutable(path, script);
}

/** Writes an executable text file, with its folders. */
export function writeExecutable(path: string, text: string): string {
  writeText(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** Writes a text file, with its folders. */
export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
