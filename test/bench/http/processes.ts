import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const COLLECT = join(import.meta.dirname, 'collect-on-signal.mjs');
/** Milliseconds for a process to say where it listens. */
const READY_WITHIN = 20_000;

/** How a `clawai serve` is to run. */
export interface ClawaiSetup {
  /** Tables of config.toml; where to listen and to write is said already. */
  readonly config: string;
  readonly policy: string;
  /** Files of its state folder, by name. */
  readonly state?: Readonly<Record<string, string>>;
  /** Script that is loaded into it first. */
  readonly preload?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Processes that are measured, with a folder that goes with them. */
export class Processes {
  readonly folder = mkdtempSync(join(tmpdir(), 'clawai-bench-'));
  readonly #children: ChildProcess[] = [];

  /** Starts a script that prints its port. */
  async startNode(script: string, ...args: readonly string[]): Promise<{ readonly port: number; readonly pid: number }> {
    // http-proxy is as old as what it uses.
    const flags = ['--disable-warning=DEP0060', '--import', COLLECT];
    const child = this.#spawn(process.execPath, [...flags, script, ...args]);
    return { port: Number(await firstLine(child)), pid: child.pid ?? 0 };
  }

  /** Starts a program that listens at this port. @returns its process id */
  async startAt(port: number, command: string, args: readonly string[]): Promise<number> {
    const child = this.#spawn(command, args);
    await reached(port, child);
    return child.pid ?? 0;
  }

  /** Starts a `clawai serve` with a folder of its own. `ready` is what it says as JSON when it listens. */
  async startClawai({
    config,
    policy,
    state = {},
    preload,
    env,
  }: ClawaiSetup): Promise<{ readonly ready: unknown; readonly pid: number }> {
    const folder = join(this.folder, `clawai-${this.#children.length}`);
    mkdirSync(folder);
    const files = { config: join(folder, 'config.toml'), policy: join(folder, 'policy.toml') };
    writeFileSync(files.policy, policy);
    const stateDir = join(folder, 'state');
    mkdirSync(stateDir, { mode: 0o700 });
    for (const [name, text] of Object.entries(state)) writeFileSync(join(stateDir, name), text, { mode: 0o600 });
    writeFileSync(files.config, `listen = "127.0.0.1:0"\nstate_dir = ${JSON.stringify(stateDir)}\n${config}`);
    const flags = ['--import', COLLECT, ...(preload === undefined ? [] : ['--import', preload])];
    const words = ['serve', '--config', files.config, '--policy', files.policy, '--json'];
    const child = this.#spawn(process.execPath, [...flags, join(ROOT, 'bin', 'clawai.mjs'), ...words], env);
    return { ready: JSON.parse(await firstLine(child)) as unknown, pid: child.pid ?? 0 };
  }

  /** Ends all of them, the last one first: what stands before a server ends before it. */
  async end(): Promise<void> {
    for (const child of this.#children.splice(0).toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  #spawn(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): ChildProcess {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.folder,
      XDG_CACHE_HOME: join(this.folder, 'cache'),
      XDG_STATE_HOME: join(this.folder, 'state'),
      ...more,
    };
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    child.on('error', () => {}); // `firstLine` and `reached` say that nothing came.
    this.#children.push(child);
    return child;
  }
}

/** What a process says first. */
async function firstLine(child: ChildProcess): Promise<string> {
  let said = '';
  const line = new Promise<string>((settle, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('\n')) settle(said.slice(0, said.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${String(code)} before it was ready`)));
    child.once('error', reject);
  });
  const late = setTimeout(READY_WITHIN, undefined, { ref: false }).then(() => {
    throw new Error('it did not become ready');
  });
  return await Promise.race([line, late]);
}

async function reached(port: number, child: ChildProcess): Promise<void> {
  for (let i = 0; i < READY_WITHIN / 50 && child.exitCode === null; i++) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await setTimeout(50);
  }
  throw new Error('it did not become ready');
}
