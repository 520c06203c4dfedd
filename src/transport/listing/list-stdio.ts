import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { exactJson, isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { LineSplitter } from '../../protocol/ndjson.ts';
import { Ending, ENDING_SIGNALS } from '../stdio/ending.ts';
import {
  type Listed,
  type ListingEars,
  isUnknownMethod,
  listServer,
  METHOD_NOT_FOUND,
  notDoneWithin,
  type Peer,
  type Reply,
} from './server-lister.ts';
import type { ServerProcess } from '../stdio/child-process.ts';

/** Milliseconds to wait for the first answer, before which `npx` may download a server, and for each further one. */
const FIRST_PATIENCE = 120_000;
const PATIENCE = 30_000;

/** Milliseconds in which the last words of a server that has ended are read. */
const LAST_WORDS = 500;

/** Most bytes of one answer. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Bounds of one listing, which a server may reach although each of its answers is small and in time. */
export interface ListingBounds {
  /** Milliseconds for all of it. */
  readonly time: number;
  /** Bytes on its stdout. */
  readonly bytes: number;
  /** Lines on its stdout. */
  readonly lines: number;
}

const UNBOUNDED: ListingBounds = { time: Infinity, bytes: Infinity, lines: Infinity };

/**
 * Lists everything that a just started server declares, and ends it as `clawai proxy` does, with all that it has started.
 *
 * @throws ClawaiError `command_*` if it could not be started
 */
export async function listStdio(
  server: ServerProcess,
  version: string,
  ears: ListingEars & { readonly bounds?: ListingBounds },
): Promise<Listed> {
  let leave = (): void => {};
  const abandoned = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const ending = new Ending(server, leave);
  const { bounds = UNBOUNDED } = ears;
  const peer = new ProcessPeer(server, bounds);
  const late = bounds.time === Infinity ? undefined : setTimeout(() => peer.fail(notDoneWithin(bounds.time)), bounds.time);
  const onSignal = (signal: NodeJS.Signals): void => {
    peer.fail(`it was interrupted by ${signal}`);
    ending.signalled(signal);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  try {
    return await listServer(peer, version, ears);
  } catch (error) {
    if (!(error instanceof PeerFailure)) throw error;
    return { kind: 'failed', why: error.message };
  } finally {
    clearTimeout(late);
    ending.inputClosed();
    await Promise.race([server.exited.then(noCode, noCode), abandoned]);
    ending.stop();
    // It was started for this listing alone, so nothing that it has started may outlive it.
    server.signal('SIGKILL');
    const said = server.stderr === null ? undefined : finished(server.stderr).catch(noCode);
    await Promise.race([said, sleep(LAST_WORDS, undefined, { ref: false })]);
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
    server.release();
  }
}

/** Ignores the outcome, which whoever waits for an answer gets. */
function noCode(): void {}

/** The reason why nothing more can be asked, as a phrase. */
class PeerFailure extends Error {}

class ProcessPeer implements Peer {
  readonly #server: ServerProcess;
  readonly #waiting = new Map<string, (message: JsonObject) => void>();
  #fail: (error: Error) => void = () => {};
  readonly #failed: Promise<never>;
  #hasAnswered = false;
  #id = 0;

  constructor(server: ServerProcess, most: Pick<ListingBounds, 'bytes' | 'lines'>) {
    this.#server = server;
    this.#failed = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    // Waiting requests get the failure; between two requests nobody handles it.
    this.#failed.catch(() => {});
    server.exited.then((code) => this.fail(`it ended with exit code ${code}`), this.#fail);
    const lines = new LineSplitter(MOST_BYTES, () => this.fail('its answer is too long'));
    let bytesLeft = most.bytes;
    let linesLeft = most.lines;
    server.stdout.on('data', (chunk: Buffer) => {
      bytesLeft -= chunk.length;
      // A flood is drained unread, so that the server can see that its input has ended.
      if (bytesLeft < 0 || linesLeft < 0) return this.fail('it sends more than clawai reads');
      lines.push(chunk, (bytes, start, end, _next, release) => {
        const text = bytes.toString('utf8', start, end);
        release?.();
        linesLeft -= 1;
        if (linesLeft >= 0) this.#take(text);
      });
    });
  }

  async ask(method: string, params: JsonObject): Promise<Reply> {
    const id = `clawai-${++this.#id}`;
    const answer = new Promise<JsonObject>((resolve) => this.#waiting.set(id, resolve));
    const patience = this.#hasAnswered ? PATIENCE : FIRST_PATIENCE;
    const timer = setTimeout(() => this.fail(`no answer to ${method} came within ${patience / 1000} s`), patience);
    this.#send({ jsonrpc: '2.0', id, method, params });
    try {
      const message = await Promise.race([answer, this.#failed]);
      this.#hasAnswered = true;
      const { result, error } = message;
      if (isJsonObject(result)) return { kind: 'result', result };
      const why = isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : 'its answer has no result';
      return { kind: 'failed', why, isUnknownMethod: isUnknownMethod(error) };
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  async notify(method: string): Promise<void> {
    this.#send({ jsonrpc: '2.0', method });
  }

  settle(): void {}

  /** Fails all further requests. */
  fail(why: string): void {
    this.#fail(new PeerFailure(why));
  }

  #send(message: JsonObject): void {
    this.#server.stdin.write(`${exactJson(message)}\n`);
  }

  #take(line: string): void {
    const message = parse(line);
    const id = message?.['id'];
    if (message === undefined || id === undefined) return;
    // Some servers wait for answers to their own requests before they answer.
    if (message['method'] === 'ping') this.#send({ jsonrpc: '2.0', id, result: {} });
    else if (message['method'] !== undefined) {
      this.#send({ jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: 'clawai only lists what there is' } });
    } else if (typeof id === 'string') this.#waiting.get(id)?.(message);
  }
}

/** Parses a message; undefined for other lines, which some servers print too. */
function parse(line: string): JsonObject | undefined {
  try {
    const value = parseJson(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
