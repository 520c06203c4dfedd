import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { openStoreReader } from '../../src/store/reading/read-open.ts';
import { storeFile } from '../../src/store/private-file.ts';
import { COMPILE_CACHE } from './run-cli.ts';
import { Running } from './running.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'bin', 'clawai.mjs');

/** One event of the audit. */
export type Event = Readonly<Record<string, unknown>>;

/** Events that tell of no call. */
const UNDECIDED: ReadonlySet<string> = new Set([
  'dlp_secrets_found',
  'mcp_connection_ended',
  'mcp_tool_seen',
  'mcp_tool_changed',
  'mcp_server_changed',
  'mcp_cross_server_blocked',
  'mcp_denied_call_result',
  'mcp_store_replaced',
  'llm_requests_counted',
]);

/** A user of their own for one test: an empty home and state, and whatever else is written there. */
export class Sandbox {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-e2e-')));
  readonly home = join(this.folder, 'home');
  readonly state = join(this.folder, 'state');
  readonly env: Readonly<Record<string, string>>;

  constructor() {
    mkdirSync(this.home);
    this.env = {
      PATH: [join(ROOT, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter),
      HOME: this.home,
      XDG_STATE_HOME: this.state,
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      XDG_CACHE_HOME: join(this.folder, 'cache'),
      NODE_COMPILE_CACHE: COMPILE_CACHE,
    };
  }

  /** Writes a text file, or an executable one, and returns its path. */
  write(name: string, text: string | Buffer, mode = 0o644): string {
    const file = join(this.folder, name);
    writeFileSync(file, text, { mode });
    return file;
  }

  read(name: string): Buffer {
    return readFileSync(join(this.folder, name));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** The command line of `clawai …`, to be started by a client. */
  command(...args: readonly string[]): [string, ...string[]] {
    return [process.execPath, BIN, ...args];
  }

  /** Starts `clawai …` with its three streams in the test's hands. */
  clawai(...args: readonly string[]): Running {
    return this.start(args, this.env);
  }

  /** Starts `clawai …` with another environment. */
  start(args: readonly string[], env: Readonly<Record<string, string>>): Running {
    return new Running(this.command(...args), { env, cwd: this.folder });
  }

  get storeFile(): string {
    return storeFile(join(this.state, 'clawai'));
  }

  /** The audit so far; empty where nothing was written. */
  events(): Event[] {
    const reader = openStoreReader(this.storeFile);
    if (reader === undefined) return [];
    try {
      return Array.from(reader.events({}), ({ body }) => JSON.parse(body ?? 'null') as Event);
    } finally {
      reader.close();
    }
  }

  /** The decided calls in the audit. */
  decided(): Event[] {
    return this.events().filter(({ type }) => !UNDECIDED.has(String(type)));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Path of a file in this folder. */
export function support(name: string): string {
  return join(import.meta.dirname, name);
}

/** Entry of a server out of the packages installed for tests. */
export function serverPackage(name: 'filesystem' | 'everything' | 'memory'): string {
  return join(ROOT, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js');
}
