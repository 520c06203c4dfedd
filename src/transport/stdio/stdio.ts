import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Interceptor } from '../../gate/interceptor.ts';
import { Ending, ENDING_SIGNALS } from './ending.ts';
import type { ServerProcess } from './child-process.ts';
import { relay } from './relay.ts';

/** Milliseconds of silence after which an ended server's output counts as over: what it left behind may hold the pipe open. */
const SILENCE = 250;

/** Milliseconds between looks at whether everybody is gone. */
const LOOK_EVERY = 10;

/** Exit code when a server could not be ended in time: that of a process killed by SIGKILL. */
const KILLED = 137;

export interface StdioOptions {
  readonly server: ServerProcess;
  readonly gate: Interceptor;
  /** The client's side. */
  readonly input: Readable;
  readonly output: Writable;
  /** Bytes a message may have. */
  readonly maxMessage: number;
  /** Called as `RelayOptions` says, for both sides. */
  readonly heap: { readonly beforeBig: () => void; readonly afterChunk: (bigBytes: number) => void };
}

/**
 * Stands between a client on our stdin and stdout and a server that is our child, until one of them ends it.
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
  // The client has gone without closing its end first.
  output.on('error', onOutputGone);
  let wake = (): void => {};

  const upstream = relay({
    source: input,
    onward: server.stdin,
    back: output,
    maxLine: maxMessage,
    inspect: (bytes, start, end) =>
      server.stdin.writable ? gate.fromClient(bytes, start, end) : gate.undeliverable(bytes, start, end),
    oversized: (line) => gate.oversizedFromClient(line),
    record: () => gate.record(),
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
    back: server.stdin,
    maxLine: maxMessage,
    inspect: (bytes, start, end) => gate.fromServer(bytes, start, end),
    oversized: (line) => gate.oversizedFromServer(line),
    record: () => gate.record(),
    ready: async () => {
      isStalled = true;
      await gate.ready();
      isStalled = false;
    },
    ...heap,
  });
  // After the relay, which still has a last line to hand on.
  for (const event of ['end', 'close', 'error']) input.once(event, () => gate.requests.clientGone());
  void upstream.then(() => ending.inputClosed());
  let isCut = false;
  void downstream.then((isLastCut) => {
    isCut = isLastCut;
  });

  const over = new AbortController();
  try {
    const code = await Promise.race([server.exited, abandoned]);
    ending.serverEnded();
    // Calls that wait for the store go nowhere now, and are answered.
    wake();
    const isHeld = (): boolean => isStalled || (output.writableNeedDrain && !output.destroyed);
    await Promise.race([lastOutput({ source: server.stdout, relayed: downstream, isHeld, signal: over.signal }), abandoned]);
    // Also where something it left behind holds its output open, which then never ends.
    answerTheRest(gate, output, isCut);
    // What waited for a person has ended with the server; batches are answered when all of their messages have.
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
    // A client that does not read must not keep us here.
    output.destroy();
  }
}

/** Nobody waits for a server that is gone. Its last words may have lacked a line feed; what we add is no part of them. */
function answerTheRest(gate: Interceptor, output: Writable, isCut: boolean): void {
  const lines = gate.requests.serverEnded();
  if (lines !== '' && output.writable) output.write(isCut ? `\n${lines}` : lines);
}

interface LastOutputOptions {
  /** What the server says. */
  readonly source: Readable;
  /** Resolves when all of it has been carried over. */
  readonly relayed: Promise<unknown>;
  /** It waits for the client or the store. */
  readonly isHeld: () => boolean;
  readonly signal: AbortSignal;
}

/** Waits until an ended server has said its last; as long as the client takes to hear it, as with a pipe. */
async function lastOutput({ source, relayed, isHeld, signal }: LastOutputOptions): Promise<void> {
  let isSilent = false;
  let isOver = false;
  const heard = (): void => {
    isSilent = false;
  };
  source.on('data', heard);
  while (!isSilent && !isOver) {
    isSilent = true;
    isOver = await isSettledWithinSilence(relayed, signal);
    // Held up, the server's output is not over.
    if (isHeld()) isSilent = false;
  }
  source.off('data', heard);
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

/** Waits until nothing is left of what the server has started. */
async function goneWith(server: ServerProcess, signal: AbortSignal): Promise<void> {
  while (server.isThere()) await setTimeout(LOOK_EVERY, undefined, { signal });
}

async function isSettledWithinSilence(promise: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const patience = new AbortController();
  const timeout = setTimeout(SILENCE, false, { signal: AbortSignal.any([patience.signal, signal]) });
  const isSettled = await Promise.race([promise.then(() => true), timeout]);
  patience.abort();
  return isSettled;
}

/**
 * Our stdout as a stream that never blocks the event loop.
 *
 * `process.stdout` writes to pipes synchronously: a client that stops reading would freeze us with signals unread. A socket
 * of our own on the same descriptor does not. That makes the descriptor non-blocking for everybody who shares it, hence not
 * where stderr is the same pipe: the server writes there, and may not expect that a write has to be tried again.
 */
export function openStdout(): Writable {
  try {
    const out = fstatSync(1);
    const isPipe = out.isFIFO() || out.isSocket();
    if (isPipe && !isSameFile(out, fstatSync(2))) return new Socket({ fd: 1, readable: false, writable: true });
  } catch {
    // A closed descriptor can't be inspected; process.stdout deals with it.
  }
  return process.stdout;
}

function isSameFile(a: { dev: number; ino: number }, b: { dev: number; ino: number }): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
