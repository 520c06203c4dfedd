import { type ChildProcess, spawn } from 'node:child_process';
import { StderrTail } from '../machine/stderr-tail.ts';

/** Milliseconds that an answer may take: clients give up at 30 to 60 s, and a slow disk is no fault of ours. */
const PATIENCE = 20_000;
/** Milliseconds in which a wrapped server ends at the latest, and then some. */
const ENDING = 5000;

export interface CanaryClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A JSON-RPC answer. */
export interface Answer {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A minimal MCP client on the standard streams of a process of its own. */
export class CanaryClient {
  readonly #child: ChildProcess;
  readonly #stderr: StderrTail | undefined;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #gone: Promise<string>;
  #rest = '';
  #lastId = 0;

  constructor({ command, args, env, cwd }: CanaryClientOptions) {
    const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    this.#stderr = new StderrTail(child.stderr);
    child.stdin.on('error', () => {}); // that it has ended is said below
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    this.#gone = new Promise((settle) => {
      child.once('error', (error) => settle(`it could not be started: ${error.message}`));
      child.once('close', (code, signal) => settle(`it ended by itself with ${signal ?? `exit code ${code}`}`));
    });
  }

  /** The last lines that were printed on stderr. */
  get said(): readonly string[] {
    return this.#stderr?.lines ?? [];
  }

  /** Resolves to the answer; throws an Error where the process ends before, or none comes in time. */
  async request(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> {
    const id = ++this.#lastId;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Answer>((settle) => this.#waiting.set(id, settle));
    const silence = new Promise<string>((settle) => {
      timer = setTimeout(settle, PATIENCE, `no answer to ${method} came within ${PATIENCE / 1000} s`);
    });
    this.#send({ jsonrpc: '2.0', id, method, params });
    const first = await Promise.race([answer, silence, this.#gone]);
    clearTimeout(timer);
    if (typeof first === 'string') throw new Error(first);
    return first;
  }

  notify(method: string): void {
    this.#send({ jsonrpc: '2.0', method });
  }

  /** Ends it as clients do, and makes it end where it doesn't. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), ENDING);
    await this.#gone;
    clearTimeout(timer);
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = parseAnswer(line);
      if (answer !== undefined) this.#waiting.get(answer.id)?.(answer);
    }
  }
}

/** Undefined for what answers nothing: a notification, or text of a program that was started instead of ours. */
function parseAnswer(line: string): Answer | undefined {
  try {
    const message: unknown = JSON.parse(line);
    const isAnswer = typeof message === 'object' && message !== null && 'id' in message && typeof message.id === 'number';
    return isAnswer ? (message as Answer) : undefined;
  } catch {
    return undefined;
  }
}
