import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, Running } from './running.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServingOptions {
  /** True URLs of the declared servers, by name. */
  readonly servers?: Readonly<Record<string, string>>;
  /** More lines of each server's table, by name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Everything is allowed without it. */
  readonly policy?: string;
  /** Lines of config.toml before its tables. */
  readonly config?: string;
  readonly flags?: readonly string[];
  /** Loopback, and any port, without it. */
  readonly listen?: string;
  /** More of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files that it may have open; as many as the tests may without it. */
  readonly files?: number;
}

/** What `clawai serve --json` says when it is ready. */
interface Ready {
  readonly url: string;
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly llm: readonly { readonly name: string; readonly url: string }[];
}

/** A `clawai serve` of the real binary, on a port of its own. */
export class Serving {
  readonly process: Running;
  readonly #ready: Ready;
  readonly #sandbox: Sandbox;

  private constructor(sandbox: Sandbox, running: Running, ready: Ready) {
    this.#sandbox = sandbox;
    this.process = running;
    this.#ready = ready;
  }

  /** Starts it, and waits until it listens. */
  static async start(sandbox: Sandbox, options: ServingOptions = {}): Promise<Serving> {
    const { config = '', policy = ALLOWING, flags = [], env = {}, listen = '127.0.0.1:0', files } = options;
    const written = [
      '--policy',
      sandbox.write('policy.toml', policy),
      '--config',
      sandbox.write('config.toml', `${config}\n${declarations(options)}`),
    ];
    const command = sandbox.command('serve', '--json', '--listen', listen, ...written, ...flags);
    const limited: [string, ...string[]] = ['sh', '-c', `ulimit -n ${files}; exec "$@"`, 'sh', ...command];
    const running = new Running(files === undefined ? command : limited, {
      env: { ...sandbox.env, ...env },
      cwd: sandbox.folder,
    });
    const [line = ''] = await running.lines(1);
    return new Serving(sandbox, running, JSON.parse(line) as Ready);
  }

  /** Its origin. */
  get origin(): string {
    return this.#ready.url;
  }

  /** Where clients reach a server. */
  url(name: string): string {
    return this.#find(this.#ready.servers, name);
  }

  /** Where agents reach an LLM provider. */
  llmUrl(name: string): string {
    return this.#find(this.#ready.llm, name);
  }

  #find(all: Ready['servers'], name: string): string {
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw new Error(`${name} is not served: ${JSON.stringify(this.#ready)}`);
    return found.url;
  }

  /** As `url`, by the other name of this machine. */
  localhostUrl(name: string): string {
    return this.url(name).replace('127.0.0.1', 'localhost');
  }

  /** Lines on stderr that begin with ours. */
  said(): string[] {
    return this.process.stderr.split('\n').filter((line) => line.startsWith('clawai: '));
  }

  /** Its metrics, by name and server. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const token = readFileSync(join(this.#sandbox.state, 'clawai', 'metrics-token'), 'utf8').trim();
    const answer = await fetch(`${this.origin}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  }

  /** Replaces the policy. */
  decree(policy: string): void {
    writeFileSync(this.#sandbox.path('policy.toml'), policy);
  }

  /** Ends it as a person would. */
  stop(): Promise<Ended> {
    this.process.kill('SIGTERM');
    return this.process.ended;
  }
}

const ALLOWING = '[defaults]\naction = "allow"\n';

function declarations({ servers = {}, settings = {} }: ServingOptions): string {
  const tables = Object.entries(servers).map(
    ([name, url]) => `[[servers]]\nid = ${JSON.stringify(name)}\nurl = ${JSON.stringify(url)}\n${settings[name] ?? ''}\n`,
  );
  return tables.join('\n');
}
