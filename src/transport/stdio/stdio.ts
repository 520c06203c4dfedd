import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Interceptor } from '../../gate/interceptor.ts';
import { Ending, ENDING_SIGNALS } from './ending.ts';
import type { ServerProcess } from './child-process.ts';
import { relay } from './relay.ts';

/** Milliseconds of silence after which an ended server's output counts as complete: its descendants may hold the pipe open. */
const SILENCE = 250;

/** Milliseconds between checks whether all descendants are gone. */
const POLL_EVERY = 10;

/** Exit code if a server could not be ended in time: that of a process killed by SIGKILL. */
const KILLED = 137;

export interface StdioOptions {
  readonly server: ServerProcess;
  readonly gate: Interceptor;
  /** The client's side of the conversation. */
  readonly input: Readable;
  readonly output: Writable;
  /** Most bytes of a message. */
  readonly maxMessage: number;
  /** Called as in `RelayOptions`, for both sides. */
  readonly heap: { readonly beforeBig: () => void; readonly afterChunk: (bigBytes: number) => void };
}

/**
 * Relays between a client on our stdin and stdout and a server that is our child, until one of them ends.
 *
 * @returns the server's exit code; rejects with a ClawaiError if the server could not be started
 */
export async function runStdio(options: StdioOptions): Promise<number> {
  const { server, gate, input, output, maxMessage, heap } = options;
  let leave = (): void => {};
  const abandoned = new Promise<number>((resolve) => {
    leave = () => resolve(KILLED);
  });
  const ending = new Ending(server, leave);
  const onSignal = (signal: NodeJS.Signals): void => ending.signalled(signal);
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  const onOutputGone = (): void => {
    gate.requests.clientGone();
    ending.inputClosed();
  };
  const stopTelling = gate.hidden.listen((line) => {
    if (output.writable) output.write(line);
  });
  // A write fails if the client ended without closing our input first.
  output.on('error', onOutputGone);
  let wake = (): void => {};

  const upstream = relay({
    source: input,
    get onward() {
      return server.stdin;
    },
    back: output,
    maxLine: maxMessage,
    inspect: (bytes, start, end) =>
      server.stdin.writable ? gate.fromClient(bytes, start, end) : gate.undeliverable(bytes, start, end),
    oversized: (line) => gate.oversizedFromClient(line),
    commit: () => gate.commit(),
    ready: () =>
      new Promise((resolve) => {
        wake = resolve;
        void gate.ready().then(resolve);
      }),
    lost: (lines) => {
      const answers = gate.requests.undelivered(lines);
      if (answers !== '' && output.writable) output.write(answers);
    },
    ...heap,
  });
  let isStalled = false;
  const downstream = relay({
    source: server.stdout,
    onward: output,
    get back() {
      return server.stdin;
    },
    maxLine: maxMessage,
    inspect: (bytes, start, end) => gate.fromServer(bytes, start, end),
    oversized: (line) => gate.oversizedFromServer(line),
    commit: () => gate.commit(),
    ready: async () => {
      isStalled = true;
      await gate.ready();
      isStalled = false;
    },
    ...heap,
  });
  // This comes after the relay's own handlers, which may pass on a last line.
  for (const event of ['end', 'close', 'error']) input.once(event, () => gate.requests.clientGone());
  void upstream.then(() => ending.inputClosed());
  let lacksLineFeed = false;
  void downstream.then((isCut) => {
    lacksLineFeed = isCut;
  });

  const over = new AbortController();
  try {
    const code = await Promise.race([server.exited, abandoned]);
    ending.serverEnded();
    // Calls that wait for the store are inspected now: they can't be sent any more, and are answered.
    wake();
    const isHeld = (): boolean => isStalled || (output.writableNeedDrain && !output.destroyed);
    await Promise.race([lastOutput({ source: server.stdout, relayed: downstream, isHeld, signal: over.signal }), abandoned]);
    // The rest is answered even if a descendant holds the output open, which then never ends.
    answerTheRest(gate, output, lacksLineFeed);
    // Questions to a person were withdrawn with the server's end; this turn answers the batches that waited for them.
    await setImmediate();
    await Promise.race([flushed(output), abandoned]);
    if (ending.isForced) await Promise.race([goneWith(server, over.signal), abandoned]);
    return code;
  } finally {
    over.abort();
    stopTelling();
    ending.stop();
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
    input.destroy();
    server.release();
    // A client that does not read must not keep us running.
    output.destroy();
  }
}

/** Answers the requests that the dead server left. Its last line may lack a line feed; ours must not extend it. */
function answerTheRest(gate: Interceptor, output: Writable, lacksLineFeed: boolean): void {
  const lines = gate.requests.serverEnded();
  if (lines !== '' && output.writable) output.write(lacksLineFeed ? `\n${lines}` : lines);
}

interface LastOutputOptions {
  /** The server's output. */
  readonly source: Readable;
  /** Resolves when all output has been relayed. */
  readonly relayed: Promise<unknown>;
  /** True while it waits for the client or the store. */
  readonly isHeld: () => boolean;
  readonly signal: AbortSignal;
}

/** Waits for an ended server's last output, as long as the client takes to read it, as with a pipe. */
async function lastOutput({ source, relayed, isHeld, signal }: LastOutputOptions): Promise<void> {
  let isSilent = false;
  let isOver = false;
  const onData = (): void => {
    isSilent = false;
  };
  source.on('data', onData);
  while (!isSilent && !isOver) {
    isSilent = true;
    isOver = await isSettledWithinSilence(relayed, signal);
    // Output that is held up is not over.
    if (isHeld()) isSilent = false;
  }
  source.off('data', onData);
}

function flushed(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed || output.writableLength === 0) resolve();
    else {
      output.write('', () => resolve());
      output.once('close', resolve);
    }
  });
}

/** Waits until the server and all its descendants are gone. */
async function goneWith(server: ServerProcess, signal: AbortSignal): Promise<void> {
  while (server.isThere()) await setTimeout(POLL_EVERY, undefined, { signal });
}

async function isSettledWithinSilence(promise: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const patience = new AbortController();
  const timeout = setTimeout(SILENCE, false, { signal: AbortSignal.any([patience.signal, signal]) });
  const isSettled = await Promise.race([promise.then(() => true), timeout]);
  patience.abort();
  return isSettled;
}

/**
 * Opens our stdout as a stream that never blocks the event loop.
 *
 * `process.stdout` writes to pipes synchronously: a client that stops reading would freeze us with signals unhandled. Our own socket on the
 * same descriptor does not block. It makes the descriptor non-blocking for everybody who shares it. So it is not used if stderr is the same
 * pipe: the server writes there, and may not expect to retry writes.
 */
export function openStdout(): Writable {
  try {
    const out = fstatSync(1);
    const isPipe = out.isFIFO() || out.isSocket();
    if (isPipe && !isSameFile(out, fstatSync(2))) return new Socket({ fd: 1, readable: false, writable: true });
  } catch {
    // A closed descriptor can't be inspected; process.stdout handles it.
  }
  return process.stdout;
}

function isSameFile(a: { dev: number; ino: number }, b: { dev: number; ino: number }): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
