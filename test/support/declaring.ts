import { existsSync, readFileSync, renameSync } from 'node:fs';
import { Running } from './running.ts';
import { type Sandbox, support } from './sandbox.ts';

/** What a changing server declares; lists in pages. */
export interface Declared {
  readonly tools?: readonly (readonly unknown[])[];
  readonly prompts?: readonly (readonly unknown[])[];
  readonly resources?: readonly (readonly unknown[])[];
  readonly resourceTemplates?: readonly (readonly unknown[])[];
  readonly instructions?: string;
  /** Added to the answer to the greeting. */
  readonly greeting?: object;
  /** Added to the result of every list. */
  readonly result?: object;
  /** What calls answer, by the tool's name. */
  readonly texts?: Readonly<Record<string, string>>;
  /** What calls answer instead, by the tool's name, the resource's URI or, without these, the method: whole results, or errors; and messages that go before these. */
  readonly results?: Readonly<Record<string, object>>;
  readonly errors?: Readonly<Record<string, object>>;
  readonly sends?: Readonly<Record<string, readonly object[]>>;
  /** Results as they are, by the list's member. */
  readonly raw?: Readonly<Record<string, string>>;
}

/** An answer as the client got it. */
export interface Answered {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface DeclaringOptions {
  /** Text of the policy; one that allows everything where it is left out. */
  readonly policy?: string;
  readonly server?: string;
  /** Words behind the server's command line. */
  readonly words?: readonly string[];
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A tool as servers declare it. */
export function tool(name: string, description: string, more: object = {}): object {
  return { name, description, inputSchema: { type: 'object', properties: { path: { type: 'string' } } }, ...more };
}

/** A server behind the real binary that declares what the test says, and the client's end of the conversation. */
export class Declaring {
  readonly #sandbox: Sandbox;
  readonly #server: string;
  readonly #flags: readonly string[];
  readonly #words: readonly string[];
  readonly #file: string;
  readonly #env: Readonly<Record<string, string>>;
  #process: Running | undefined;
  #lastId = 0;

  constructor(
    sandbox: Sandbox,
    { policy = '[defaults]\naction = "allow"\n', server = 'files', words = [], flags = [], env = {} }: DeclaringOptions = {},
  ) {
    this.#sandbox = sandbox;
    this.#server = server;
    this.#words = words;
    this.#env = env;
    this.#file = sandbox.path(`${server}.json`);
    this.#flags = ['--server', server, '--policy', sandbox.write(`${server}.toml`, policy), ...flags];
  }

  /** What the server declares from now on. */
  declare(declared: Declared): void {
    // In one step, since the server may read it at any moment.
    renameSync(this.#sandbox.write(`${this.#server}.json.new`, JSON.stringify(declared)), this.#file);
  }

  /** Starts it, as a client does. */
  async start(words: readonly string[] = this.#words): Promise<Answered> {
    const command = [process.execPath, support('changing-server.mjs'), this.#file, ...words];
    this.#process = new Running(this.#sandbox.command('proxy', ...this.#flags, '--', ...command), {
      env: { ...this.#sandbox.env, ...this.#env },
      cwd: this.#sandbox.folder,
    });
    return this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    });
  }

  async stop(): Promise<void> {
    await this.#process?.close();
    this.#process = undefined;
  }

  /** Ends it as the system does. */
  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.ended;
    this.#process = undefined;
  }

  async request(method: string, params?: object): Promise<Answered> {
    const running = this.#running();
    const id = ++this.#lastId;
    const find = (): Answered | undefined =>
      running.stdout
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Answered)
        .find((answer) => answer.id === id);
    running.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await running.until(() => find() !== undefined);
    return find() ?? { id };
  }

  /** Sends a message whose answer nobody waits for. */
  send(message: object): void {
    this.#running().send(`${JSON.stringify(message)}\n`);
  }

  /** Names of the tools, as the client sees them, over all pages. */
  async tools(): Promise<string[]> {
    const names: string[] = [];
    for (let cursor: unknown; ;) {
      const { result } = await this.request('tools/list', cursor === undefined ? {} : { cursor });
      names.push(...((result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name));
      cursor = result?.['nextCursor'];
      if (cursor === undefined) return names;
    }
  }

  /** `allowed`, or what the model is told. */
  async call(name: string, args: object = {}, meta?: object): Promise<string> {
    const { result, error } = await this.request('tools/call', { name, arguments: args, _meta: meta });
    if (error !== undefined) return error.message;
    const [first] = (result?.['content'] ?? []) as { text: string }[];
    return result?.['isError'] === true ? (first?.text ?? '') : 'allowed';
  }

  /** What reached the server: methods and subjects. */
  reached(): string[] {
    const file = `${this.#file}.reached`;
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  }

  /** What the client got, line by line. */
  get received(): readonly string[] {
    return this.#running().stdout.toString().split('\n').slice(0, -1);
  }

  get stderr(): string {
    return this.#running().stderr;
  }

  #running(): Running {
    if (this.#process === undefined) throw new Error('it was not started');
    return this.#process;
  }
}
