import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { COMPILE_CACHE } from './run-cli.ts';

/** Milliseconds that anything awaited here may take. */
const PATIENCE = 30_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Run as this user; only root may. */
  readonly uid?: number;
}

/** A process whose output is kept, byte for byte. */
export class Running {
  readonly pid: number;
  readonly stdin: Writable;
  readonly output: Readable;
  /** Resolves when the process is gone and both its outputs are closed. */
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];
  #onOutput = (): void => {};

  constructor([command, ...args]: readonly [string, ...string[]], { env, cwd, uid }: RunningOptions) {
    const child = spawn(command, args, {
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid }),
    });
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.stdin = child.stdin;
    this.output = child.stdout;
    // A process that has ended does not take what is written; what the test awaits of it tells.
    child.stdin.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => this.#keep(this.#stdout, chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#keep(this.#stderr, chunk));
    this.ended = new Promise((settle) => {
      child.once('close', (code, signal) => {
        settle({ code, signal, stdout: this.stdout.toString(), stderr: this.stderr });
        this.#onOutput();
      });
    });
  }

  get stdout(): Buffer {
    return Buffer.concat(this.#stdout);
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString();
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  send(text: string | Buffer): void {
    this.stdin.write(text);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves when what has been printed satisfies the condition; rejects after a while or at the process's end. */
  until(isReached: () => boolean): Promise<void> {
    return new Promise((settle, reject) => {
      const fail = (why: string): void => {
        clearTimeout(timer);
        reject(new Error(`${why}; stdout: ${this.stdout.subarray(0, 2000).toString()}; stderr: ${this.stderr}`));
      };
      const timer = setTimeout(() => fail('waited in vain'), PATIENCE);
      const check = (): void => {
        if (isReached()) {
          clearTimeout(timer);
          settle();
        } else if (this.hasEnded) fail('it has ended before');
      };
      this.#onOutput = check;
      check();
    });
  }

  /** The first so many lines on stdout, without their line feeds. */
  async lines(count: number): Promise<string[]> {
    await this.until(() => this.stdout.toString().split('\n').length > count);
    return this.stdout.toString().split('\n').slice(0, count);
  }

  /** Closes its input and waits for its end. */
  close(): Promise<Ended> {
    this.stdin.end();
    return this.ended;
  }

  #keep(chunks: Buffer[], chunk: Buffer): void {
    chunks.push(chunk);
    this.#onOutput();
  }
}
