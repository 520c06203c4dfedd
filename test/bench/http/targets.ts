import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { canPlace, place } from '../stdio/placement.ts';
import { formatLogins } from '../../../src/remote/login/login.ts';
import { newLogin, SECRETS } from '../../support/logins.ts';
import { Load } from './load.ts';
import type { Address } from './messages.ts';
import { NGINX, writeNginxConfig } from './nginx.ts';
import { writePolicy } from './policy.ts';
import { Processes } from './processes.ts';

/** Paths of the server: over streamable HTTP, over HTTP+SSE, and with a login. */
const PATHS = { http: '/mcp', sse: '/sse', managed: '/managed' };
const DAY = 86_400_000;
/** Milliseconds for memory to be given back. */
const SETTLE = 1500;

export const MIDDLEMEN = ['pipe', 'nginx', 'httpxy', 'http-proxy', 'clawai'] as const;
/** What stands before the server. `unmanaged`: clawai before the same server without a login. */
export type Middleman = (typeof MIDDLEMEN)[number] | 'unmanaged';

/** What a stage is about; without a word, all middlemen before streamable HTTP. */
export interface StageOptions {
  readonly names?: readonly Middleman[] | undefined;
  /** Of clawai's. */
  readonly policy?: string | undefined;
  /** Which of the server's paths is measured. */
  readonly path?: keyof typeof PATHS | undefined;
}

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
  readonly #processes = new Processes();
  #policy = '';
  #path = PATHS.http;
  #direct: Target = { port: 0, path: '', pid: 0 };

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
  async start({ names = MIDDLEMEN, policy = writePolicy(100), path = 'http' }: StageOptions = {}): Promise<void> {
    this.#policy = policy;
    this.#path = PATHS[path];
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
    await this.#processes.end();
  }

  #startMiddleman(name: Middleman): Promise<Target> {
    if (name === 'clawai') return this.#startClawai(this.#path);
    if (name === 'unmanaged') return this.#startClawai(PATHS.http);
    if (name === 'nginx') return this.#startNginx();
    return this.#startNode(name === 'pipe' ? 'tcp-pipe.mjs' : `${name}.mjs`, String(this.#direct.port));
  }

  async #startNode(script: string, ...args: readonly string[]): Promise<Target> {
    const { port, pid } = await this.#processes.startNode(join(import.meta.dirname, script), ...args);
    return { port, path: this.#path, pid };
  }

  async #startNginx(): Promise<Target> {
    if (NGINX === undefined) throw new Error('there is no nginx on this machine');
    const folder = join(this.#processes.folder, 'nginx');
    const { port, file } = await writeNginxConfig(folder, this.#direct.port);
    const pid = await this.#processes.startAt(port, NGINX, ['-p', folder, '-c', file]);
    return { port, path: this.#path, pid };
  }

  async #startClawai(behind: string): Promise<Target> {
    const isManaged = behind === PATHS.managed;
    const url = `http://127.0.0.1:${this.#direct.port}${behind}`;
    const table = `[[servers]]\nid = "bench"\nurl = "${url}"\n`;
    const config = isManaged ? `[login]\nkeychain = false\n${table}auth = "managed"\n` : table;
    const login = { ...newLogin({ url, expires: Date.now() + DAY }), place: 'file', version: '1' } as const;
    const state = isManaged ? { 'logins.json': formatLogins([{ login, secrets: SECRETS }]) } : {};
    const { ready, pid } = await this.#processes.startClawai({ config, policy: this.#policy, state });
    const { servers } = ready as { servers: readonly { url: string }[] };
    const own = new URL(servers[0]?.url ?? '');
    return { port: Number(own.port), path: own.pathname, pid };
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
