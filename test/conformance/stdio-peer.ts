import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A JSON-RPC message as this bridge needs it; everything else in it passes. */
export interface Wire {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>>; readonly [key: string]: unknown };
  readonly error?: { readonly code: number };
  readonly [key: string]: unknown;
}

/** Where the messages about one request go. */
export interface Recipient {
  /** A notification or a request of the server's that belongs to the request. */
  readonly send: (message: Wire) => void;
  /** The answer, or undefined where the server has ended without one. */
  readonly finish: (answer: Wire | undefined) => void;
}

export interface PeerOptions {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

interface Pending {
  readonly request: Wire;
  readonly recipient: Recipient;
}

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/** Milliseconds that a server has after its input was closed. */
const GRACE = 2000;

/** Characters kept of what a server says on stderr. */
const MOST_WORDS = 2000;

/** One stdio server, with a recipient for each request that it has not answered yet. */
export class StdioPeer {
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  /** By the JSON text of the id on the wire. */
  readonly #pending = new Map<string, Pending>();
  #listener: ((message: Wire) => void) | undefined;
  #hasEnded = false;
  #renamed = 0;
  #lastWords = '';

  constructor({ command: [command, ...args], env, cwd }: PeerOptions) {
    const child = spawn(command, args, { env: { ...env }, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    // A server that has ended does not take what is written; its requests are finished below.
    child.stdin.on('error', () => {});
    createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', (line) => this.#receive(line));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#lastWords = `${this.#lastWords}${chunk.toString()}`.slice(-MOST_WORDS);
    });
    this.ended = new Promise((settle) => {
      const finish = (): void => {
        this.#hasEnded = true;
        for (const { recipient } of this.#pending.values()) recipient.finish(undefined);
        this.#pending.clear();
        settle();
      };
      child.once('error', finish);
      child.once('close', finish);
    });
  }

  /** The end of what it said on stderr, for whoever wonders why it has ended. */
  get lastWords(): string {
    return this.#lastWords;
  }

  /**
   * Sends a request. Two clients of one server may use the same id at once: the later one gets another on the wire.
   *
   * @returns withdraws the request, where it has no answer yet
   */
  request(message: Wire, recipient: Recipient): () => void {
    if (this.#hasEnded) {
      recipient.finish(undefined);
      return () => {};
    }
    const isTaken = this.#pending.has(JSON.stringify(message.id));
    const id = isTaken ? `bridge-${++this.#renamed}` : message.id;
    const key = JSON.stringify(id);
    this.#pending.set(key, { request: message, recipient });
    this.notify({ ...message, id });
    return () => {
      if (!this.#pending.delete(key)) return;
      this.notify({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: id, reason: 'the stream was closed' },
      });
    };
  }

  /** Sends what has no answer: a notification, or the client's answer to a request of the server's. */
  notify(message: Wire): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Takes what belongs to no request. */
  listen(listener: ((message: Wire) => void) | undefined): void {
    this.#listener = listener;
  }

  /** Ends the server the way clients do: its input is closed, and it is killed if that is not enough. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), GRACE);
    await this.ended;
    clearTimeout(timer);
  }

  #receive(line: string): void {
    const message = JSON.parse(line) as Wire;
    if (message.method === undefined) this.#finish(message);
    else this.#route(message);
  }

  #finish(answer: Wire): void {
    const key = JSON.stringify(answer.id);
    const pending = this.#pending.get(key);
    this.#pending.delete(key);
    pending?.recipient.finish({ ...answer, id: pending.request.id });
  }

  #route(message: Wire): void {
    const subscription = message.params?.['_meta']?.[SUBSCRIPTION_ID];
    const subscriber = subscription === undefined ? undefined : this.#pending.get(JSON.stringify(subscription));
    if (subscriber !== undefined) subscriber.recipient.send(withSubscription(message, subscriber.request.id));
    else (this.#recipientOf(message)?.send ?? this.#listener)?.(message);
  }

  /** stdio does not say which request a message belongs to: the progress token does, or it is the latest one. */
  #recipientOf(message: Wire): Recipient | undefined {
    const all = [...this.#pending.values()];
    if (message.method !== 'notifications/progress') return isAboutRequest(message) ? all.at(-1)?.recipient : undefined;
    const token = message.params?.['progressToken'];
    return all.find(({ request }) => request.params?.['_meta']?.['progressToken'] === token)?.recipient;
  }
}

function isAboutRequest(message: Wire): boolean {
  return message.id !== undefined || message.method === 'notifications/message';
}

function withSubscription(message: Wire, id: unknown): Wire {
  return { ...message, params: { ...message.params, _meta: { ...message.params?.['_meta'], [SUBSCRIPTION_ID]: id } } };
}
