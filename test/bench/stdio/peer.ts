import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const BENCH = join(ROOT, 'test', 'bench');
const LINE_FEED = 0x0a;
/** Milliseconds. The slowest answer takes less than one second; what takes this long has been lost. */
const PATIENCE = 30_000;

export const KINDS = ['pipe', 'clawai'] as const;
/** What stands before the server. */
export type Kind = (typeof KINDS)[number];

/** A bare pipe that gives its server a process group of its own, as an ending that reaches wrappers' children needs. */
export const GROUPED = 'grouped pipe';

/** A home of its own for the processes of one bench, so that neither their start nor their records touch the user's. */
export class Workplace {
  readonly #folder = mkdtempSync(join(tmpdir(), 'clawai-bench-'));
  readonly #env: Readonly<Record<string, string>>;

  /** @param env added to the environment of all processes */
  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env;
  }

  /** @param policy a file; the shipped default without it @param script the server's, of this folder @param name the server's */
  start(
    kind: Kind | typeof GROUPED,
    policy: string = join(ROOT, 'policies', 'default.toml'),
    script = 'echo-server.mjs',
    name = 'echo',
  ): Peer {
    const server = [process.execPath, join(BENCH, script)];
    const middleman = {
      pipe: [join(BENCH, 'pipe.mjs'), ...server],
      [GROUPED]: [join(BENCH, 'pipe.mjs'), '--group', ...server],
      clawai: [join(ROOT, 'bin', 'clawai.mjs'), 'proxy', '--server', name, '--policy', policy, '--', ...server],
    }[kind];
    const folder = this.#folder;
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_STATE_HOME: join(folder, 'state'),
      ...this.#env,
    };
    return new Peer(spawn(process.execPath, middleman, { env, stdio: ['pipe', 'pipe', 'inherit'] }));
  }

  write(name: string, text: string): string {
    const file = join(this.#folder, name);
    writeFileSync(file, text);
    return file;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A server behind a middleman, with the bench in the role of the client. */
export class Peer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #exited: Promise<unknown>;
  #lines = 0;
  #awaited = Number.POSITIVE_INFINITY;
  #arrived = (): void => {};

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    this.#exited = once(child, 'exit');
    child.stdout.on('data', (chunk: Buffer) => this.#count(chunk));
  }

  /** Of the middleman. */
  get pid(): number {
    return this.#child.pid as number;
  }

  /** Resolves when so many more lines have come; to be asked for before what makes them come is sent. */
  lines(count: number): Promise<void> {
    this.#awaited = this.#lines + count;
    return new Promise((settle, reject) => {
      const timer = setTimeout(() => this.#giveUp(reject), PATIENCE);
      this.#arrived = () => {
        clearTimeout(timer);
        settle();
      };
      void this.#exited.then(() => reject(new Error('the process has ended before it answered')));
    });
  }

  /** Writes and waits while the pipe is full. */
  async write(bytes: Buffer): Promise<void> {
    if (!this.#child.stdin.write(bytes)) await once(this.#child.stdin, 'drain');
  }

  /** Sends one message and resolves to the microseconds until its answer was complete. */
  async roundTrip(message: Buffer): Promise<number> {
    const answer = this.lines(1);
    const started = performance.now();
    this.#child.stdin.write(message);
    await answer;
    return (performance.now() - started) * 1000;
  }

  /** Resident memory of the middleman in MiB. */
  memory(): number {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.#child.pid)], { encoding: 'utf8' })) / 1024;
  }

  /** Ends it as a client does, by closing its input. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#exited;
  }

  #giveUp(reject: (error: Error) => void): void {
    this.#child.kill();
    reject(new Error(`${this.#awaited - this.#lines} answers did not come within ${PATIENCE / 1000} s`));
  }

  #count(chunk: Buffer): void {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) this.#lines++;
    if (this.#lines < this.#awaited) return;
    this.#awaited = Number.POSITIVE_INFINITY;
    this.#arrived();
  }
}
