import { existsSync, readFileSync } from 'node:fs';
import { Running } from './running.ts';
import { type Sandbox, support } from './sandbox.ts';

export interface GuardedOptions {
  /** Of the server, and of the file in which it writes down what reaches it. */
  readonly name?: string;
  /** Text of config.toml. */
  readonly config?: string;
  /** Text of the policy; everything is allowed without it. */
  readonly policy?: string;
  /** The server's command line; without it, one that writes down what it gets and answers all of it. */
  readonly server?: readonly string[];
  readonly uid?: number;
}

/** An answer, or whatever else came as a line. */
export interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server behind the real binary under a policy that allows everything, and the client's end of the conversation. */
export class Guarded {
  readonly process: Running;
  /** Where the server writes what reaches it. */
  readonly record: string;

  constructor(
    sandbox: Sandbox,
    { name = 's', config = '', policy: rules = '[defaults]\naction = "allow"\n', server, uid }: GuardedOptions = {},
  ) {
    this.record = sandbox.path(`reached-${name}`);
    // One for each, since a file that is written anew is empty for a moment, and an empty policy denies everything.
    const policy = sandbox.write(`policy-${name}.toml`, rules);
    const flags = ['--server', name, '--policy', policy, '--config', sandbox.write(`config-${name}.toml`, config)];
    const command = server ?? [process.execPath, support('recording-server.mjs'), this.record];
    this.process = new Running(sandbox.command('proxy', ...flags, '--', ...command), {
      env: sandbox.env,
      cwd: sandbox.folder,
      ...(uid === undefined ? {} : { uid }),
    });
  }

  /** Sends lines in one write. */
  send(...lines: readonly string[]): void {
    this.process.send(lines.map((line) => `${line}\n`).join(''));
  }

  answers(): Answer[] {
    const lines = this.process.stdout.toString().split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Answer);
  }

  /** The answer to this request, as soon as it is there. */
  async answerTo(id: unknown): Promise<Answer> {
    const find = (): Answer | undefined => this.answers().find((answer) => answer.id === id);
    await this.process.until(() => find() !== undefined);
    return find() ?? {};
  }

  /** Sends a call and waits for its answer. */
  async call(id: string | number): Promise<Answer> {
    this.send(call(id));
    return this.answerTo(id);
  }

  /** Ids of the requests that reached the server, in order. */
  reached(): unknown[] {
    if (!existsSync(this.record)) return [];
    const lines = readFileSync(this.record, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => (JSON.parse(line) as { id: unknown }).id);
  }

  /** Lines on stderr that begin with ours. */
  said(): string[] {
    return this.process.stderr.split('\n').filter((line) => line.startsWith('clawai: '));
  }
}

export function call(id: string | number, args: unknown = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't', arguments: args } });
}

export function ping(id: string | number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
}

/** What the model is told where a call was denied since it could not be recorded. */
export function isUnrecorded({ result }: Answer): boolean {
  return result?.isError === true && result.content?.[0]?.text.includes('clawai could not record it') === true;
}

/** Keeps a store to itself until `release`. */
export class StoreHolder {
  readonly #process: Running;

  private constructor(held: Running) {
    this.#process = held;
  }

  /** @param mode `write`: nobody else can write; `all`: nobody else can even open it; `flicker`: it is held for moments, again and again */
  static async hold(sandbox: Sandbox, mode: 'write' | 'all' | 'flicker' = 'write'): Promise<StoreHolder> {
    const command: [string, ...string[]] = [process.execPath, support('store-holder.mjs'), sandbox.storeFile, mode];
    const held = new Running(command, { env: sandbox.env, cwd: sandbox.folder });
    await held.until(() => held.stdout.includes('held'));
    return new StoreHolder(held);
  }

  async release(): Promise<void> {
    await this.#process.close();
  }
}

export function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
