import type { Readable, Writable } from 'node:stream';
import type { Interceptor } from '../gate/interceptor.ts';
import { Ending, ENDING_SIGNALS } from './ending.ts';
import { relay } from './relay.ts';
import type { ServerProcess } from './server-process.ts';

/** Bytes a message may have (design §4b, `[limits] message`); SDK clients give up at 10 MiB. */
const MOST_MESSAGE = 32 * 1024 * 1024;

/** Milliseconds that the last output may take: a grandchild may hold the pipe open, and a client may have stopped reading. */
const LAST_OUTPUT = 250;

/** Exit code when a server could not be ended in time: that of a process killed by SIGKILL. */
const KILLED = 137;

export interface StdioOptions {
  readonly server: ServerProcess;
  readonly gate: Interceptor;
  /** The client's side. */
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Stands between a client on our stdin and stdout and a server that is our child, until one of them ends it.
 *
 * @returns the server's exit code; rejects with a ClawaiError if the server could not be started
 */
export async function runStdio(options: StdioOptions): Promise<number> {
  const { server, gate, input, output } = options;
  let leave = (): void => {};
  const abandoned = new Promise<number>((resolve) => {
    leave = () => resolve(KILLED);
  });
  const ending = new Ending(server, leave);
  const onSignal = (signal: NodeJS.Signals): void => ending.signalled(signal);
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  const onOutputGone = (): void => ending.inputClosed();
  // The client has gone without closing its end first.
  output.on('error', onOutputGone);

  const upstream = relay({
    source: input,
    onward: server.stdin,
    back: output,
    maxLine: MOST_MESSAGE,
    inspect: (bytes, start, end) => gate.fromClient(bytes, start, end),
    oversized: (length) => gate.oversized(length),
  });
  const downstream = relay({
    source: server.stdout,
    onward: output,
    back: server.stdin,
    maxLine: Number.POSITIVE_INFINITY,
    inspect: (bytes, start, end) => gate.fromServer(bytes, start, end),
    oversized: (length) => gate.oversized(length),
  });
  void upstream.then(() => ending.inputClosed());

  try {
    const code = await Promise.race([server.exited, abandoned]);
    await atMost(LAST_OUTPUT, downstream);
    await atMost(LAST_OUTPUT, flushed(output));
    return code;
  } finally {
    ending.done();
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
    input.destroy();
    server.stdout.destroy();
  }
}

function flushed(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed || output.writableLength === 0) resolve();
    else output.write('', () => resolve());
  });
}

/** Waits for `promise`, but not longer than so many milliseconds. */
function atMost(milliseconds: number, promise: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
