import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { canPlace, place } from '../stdio/placement.ts';
import { Load } from './load.ts';
import type { Address } from './messages.ts';
import { NGINX, writeNginxConfig } from './nginx.ts';
import { writePolicy } from './policy.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const COLLECT = join(import.meta.dirname, 'collect-on-signal.mjs');
const PATH = '/mcp';
/** Milliseconds for a process to say where it listens. */
const READY_WITHIN = 20_000;
/** Milliseconds for memory to be given back. */
const SETTLE = 1500;

export const MIDDLEMEN = ['pipe', 'nginx', 'httpxy', 'http-proxy', 'clawai'] as const;
/** What stands before the server. */
export type Middleman = (typeof MIDDLEMEN)[number];

/** A middleman that runs, or the server itself. */
export interface Target extends Address {
  readonly pid: number;
}

/** One server, the middlemen before it, and what makes load; each a process of its own, with a folder that goes with them. */
export class Stage {
  readonly load = new Load();
  /** By name; those that can't be had here are missing, and `missing` says why. */
  readonly middlemen = new Map<Middleman, Target>();
  readonly missing = new Map<Middleman, string>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'clawai-bench-'));
  readonly #children: ChildProcess[] = [];
  #direct: Target = { port: 0, path: PATH, pid: 0 };

  /** The server without anybody before it. */
  get direct(): Target {
    return this.#direct;
  }

  /** Throws where a middleman isn't there. */
  middleman(name: Middleman): Target {
    const target = this.middlemen.get(name);
    if (target === undefined) throw new Error(`${name} does not run: ${this.missing.get(name) ?? 'it was not started'}`);
    return target;
  }

  /** Starts the server and these middlemen, these on one core, the server and the load on the other, where that can be had. */
  async start(names: readonly Middleman[] = MIDDLEMEN): Promise<void> {
    this.#direct = await this.#startNode('upstream.mjs');
    for (const name of names) {
      try {
        this.middlemen.set(name, await this.#startMiddleman(name));
      } catch (error) {
        this.missing.set(name, error instanceof Error ? error.message : String(error));
      }
    }
    if (!canPlace()) return;
    place(
      [...this.middlemen.values()].map(({ pid }) => pid),
      0,
    );
    place([this.#direct.pid, this.load.pid], 1);
  }

  /** Ends all of it. */
  async end(): Promise<void> {
    await this.load.end();
    for (const child of this.#children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #startMiddleman(name: Middleman): Promise<Target> {
    if (name === 'clawai') return this.#startClawai();
    if (name === 'nginx') return this.#startNginx();
    return this.#startNode(name === 'pipe' ? 'tcp-pipe.mjs' : `${name}.mjs`, String(this.#direct.port));
  }

  async #startNode(script: string, ...args: readonly string[]): Promise<Target> {
    // http-proxy is as old as what it uses.
    const flags = ['--disable-warning=DEP0060', '--import', COLLECT];
    const child = this.#spawn(process.execPath, [...flags, join(import.meta.dirname, script), ...args]);
    return { port: Number(await firstLine(child)), path: PATH, pid: child.pid ?? 0 };
  }

  async #startNginx(): Promise<Target> {
    if (NGINX === undefined) throw new Error('there is no nginx on this machine');
    const folder = join(this.#folder, 'nginx');
    const { port, file } = await writeNginxConfig(folder, this.#direct.port);
    const child = this.#spawn(NGINX, ['-p', folder, '-c', file]);
    await reached(port, child);
    return { port, path: PATH, pid: child.pid ?? 0 };
  }

  async #startClawai(): Promise<Target> {
    const config = join(this.#folder, 'config.toml');
    const policy = join(this.#folder, 'policy.toml');
    writeFileSync(policy, writePolicy(100));
    writeFileSync(
      config,
      `listen = "127.0.0.1:0"\nstate_dir = ${JSON.stringify(join(this.#folder, 'state'))}\n` +
        `[[servers]]\nid = "bench"\nurl = "http://127.0.0.1:${this.#direct.port}${PATH}"\n`,
    );
    const clawai = ['--import', COLLECT, join(ROOT, 'bin', 'clawai.mjs')];
    const child = this.#spawn(process.execPath, [...clawai, 'serve', '--config', config, '--policy', policy, '--json']);
    const { servers } = JSON.parse(await firstLine(child)) as { servers: readonly { url: string }[] };
    const url = new URL(servers[0]?.url ?? '');
    return { port: Number(url.port), path: url.pathname, pid: child.pid ?? 0 };
  }

  #spawn(command: string, args: readonly string[]): ChildProcess {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#folder,
      XDG_CACHE_HOME: join(this.#folder, 'cache'),
      XDG_STATE_HOME: join(this.#folder, 'state'),
    };
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    child.on('error', () => {}); // `firstLine` and `reached` say that nothing came.
    this.#children.push(child);
    return child;
  }
}

/** Resident memory in MiB; after all that can be given back was, where `settle` is set (only processes that know the signal). */
export async function residentMemory({ pid }: Target, settle = true): Promise<number> {
  if (settle) {
    process.kill(pid, 'SIGUSR2');
    await setTimeout(SETTLE);
  }
  const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kibibytes) / 1024;
}

/** Milliseconds of a processor that it has had so far, all threads together; not a number where there is no procfs. */
export function processorTime({ pid }: Target): number {
  if (process.platform !== 'linux') return Number.NaN;
  // Behind the name, which may have anything in it, the fields start with the third.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10; // Linux shows hundredths of a second, whatever it counts in.
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
