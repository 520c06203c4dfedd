import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));
const ENTRY = new URL('../../dist/main.mjs', import.meta.url).href;
const TIMEOUT_MS = 110_000;

/** Where processes that tests start keep compiled code: each of thousands would compile the same anew otherwise. */
export const COMPILE_CACHE: string = join(ROOT, 'node_modules', '.cache', 'compiled');

export interface RunOptions {
  /** Working directory; the project's folder without it. */
  readonly cwd?: string;
  /** The whole environment besides PATH: nothing of the developer's own settings gets in. */
  readonly env?: Readonly<Record<string, string>>;
  /** Run as this user; only root may. */
  readonly uid?: number;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line of the built clawai in a process of its own, with stdin closed. */
export async function runCli(args: readonly string[], { cwd = ROOT, env = {}, uid }: RunOptions = {}): Promise<CliResult> {
  const script = `import(${JSON.stringify(ENTRY)}).then(({ main }) => main(process.argv.slice(1)))`;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--eval', script, '--', ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    ...(uid === undefined ? {} : { uid }),
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, ...output };
}
