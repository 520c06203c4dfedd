import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { startHttpBridge } from './http-bridge.ts';
import type { PeerOptions } from './stdio-peer.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const RELEASED = join(ROOT, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const NEXT = join(ROOT, 'node_modules', 'conformance-next', 'dist', 'index.js');

/** Milliseconds that a whole suite may take. */
const PATIENCE = 120_000;

/** The server suites, by what they are called in names of tests. */
export const SUITES = {
  released: [RELEASED, 'server'],
  '2025-11-25': [NEXT, 'server', '--requirements', '2025-11-25'],
  '2026-07-28': [NEXT, 'server', '--requirements', '2026-07-28'],
} as const satisfies Record<string, readonly string[]>;

/** What one check of a scenario came to. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** Empty where it passed. What failing checks say quotes what the server answered, so that failures can be compared too. */
  readonly message: string;
}

interface Written {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/**
 * Runs a suite against a stdio server behind a bridge.
 *
 * @param folder where the suite may write; each run needs one of its own
 * @returns every check in a stable order; throws where the suite did not write any
 */
export async function runSuite(suite: keyof typeof SUITES, server: PeerOptions, folder: string): Promise<Check[]> {
  const bridge = await startHttpBridge(server);
  try {
    return await runSuiteAt(suite, { ...server, url: bridge.url }, folder);
  } finally {
    await bridge.close();
  }
}

/** As `runSuite`, against a server that speaks HTTP itself, at a URL that says `localhost`. */
export async function runSuiteAt(
  suite: keyof typeof SUITES,
  server: Pick<PeerOptions, 'env' | 'cwd'> & { readonly url: string },
  folder: string,
): Promise<Check[]> {
  const output = await run([...SUITES[suite], '--url', server.url, '--output-dir', folder], server);
  const checks = globSync('*/checks.json', { cwd: folder }).flatMap((file) => readChecks(folder, file));
  if (checks.length === 0) throw new Error(`the suite left no checks: ${output.slice(0, 2000)}`);
  return checks.toSorted((a, b) => compare(format(a), format(b)));
}

/** Runs one scenario of the newer suite against a client, which gets the URL of the suite's server as its last argument. */
export async function runClientScenario(
  scenario: string,
  command: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const args = [NEXT, 'client', '--scenario', scenario, '--command', command, '--timeout', String(PATIENCE)];
  return new Promise((settle) => {
    const options = { cwd: ROOT, timeout: PATIENCE, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, args, options, (_error, stdout, stderr) =>
      settle({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    );
  });
}

/** One check as a line, to be compared and shown. */
export function format({ scenario, id, name, status, message }: Check): string {
  return `${scenario} ${id} (${name}) ${status} ${message}`;
}

/** The checks that one side has and the other hasn't. */
export function differingRows(direct: readonly Check[], through: readonly Check[]): Check[] {
  const [left, right] = [countRows(direct), countRows(through)];
  return [...direct, ...through].filter((check) => left.get(format(check)) !== right.get(format(check)));
}

function countRows(checks: readonly Check[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of checks.map(format)) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}

/** The suite's exit code says whether all checks passed, which none of its callers asks; what it wrote is read instead. */
function run(args: readonly string[], { env, cwd }: Pick<PeerOptions, 'env' | 'cwd'>): Promise<string> {
  return new Promise((settle) => {
    const options = { env: { ...env }, cwd, timeout: PATIENCE, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, args, options, (_error, stdout, stderr) => settle(`${stdout}${stderr}`));
  });
}

function readChecks(folder: string, file: string): Check[] {
  // The folder is named after the suite, the scenario and the time.
  const scenario = dirname(file)
    .replace(/^server-/, '')
    .replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
  const written = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Written[];
  return written.map(({ id, name, status, errorMessage = '' }) => ({
    scenario,
    id,
    name,
    status,
    message: withoutPort(errorMessage),
  }));
}

/** The one thing in a message that differs from run to run. */
function withoutPort(message: string): string {
  return message.replace(/localhost:\d+/g, 'localhost:PORT');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
