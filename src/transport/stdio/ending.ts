import type { ServerProcess } from './child-process.ts';

/** Milliseconds. After end of input a server may take this long to finish by itself (MCP lifecycle; SDK clients wait as long). */
const GRACE = 2000;
/** After a signal: SIGTERM, then SIGKILL, then we leave whatever happens. Clients kill us 500 ms after their first signal. */
const TERMINATE_AFTER = 150;
const KILL_AFTER = 300;
const LEAVE_AFTER = 380;

/** What makes a conversation end, from our side of it. */
export const ENDING_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Brings a server to its end: asked first, made to then. Each step happens once, however often and in whatever order the
 * client closes its pipe and sends signals.
 */
export class Ending {
  readonly #server: ServerProcess;
  readonly #leave: () => void;
  #timers: NodeJS.Timeout[] = [];
  #isForced = false;
  #hasServerEnded = false;
  #isOver = false;

  /** @param leave called when our time is over, whatever is still there */
  constructor(server: ServerProcess, leave: () => void) {
    this.#server = server;
    this.#leave = leave;
  }

  /** True once signals are sent: then what the server has started must go too. */
  get isForced(): boolean {
    return this.#isForced;
  }

  /** The client has closed its pipe: the server sees that too, and has time to finish. */
  inputClosed(): void {
    this.#server.stdin.end();
    if (this.#isForced || this.#hasServerEnded) return;
    this.#after(GRACE, () => this.#force('SIGTERM'));
  }

  /** We were told to end: so is the server, at once and with the same signal. */
  signalled(signal: NodeJS.Signals): void {
    this.#server.stdin.end();
    this.#force(signal);
  }

  /** The server itself has ended. Unless it was made to, nothing more is done to what it has started. */
  serverEnded(): void {
    this.#hasServerEnded = true;
    if (!this.#isForced) this.#cancel();
  }

  /** Nothing more is to be done, whatever happens. */
  stop(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #cancel(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #force(signal: NodeJS.Signals): void {
    if (this.#isForced) return;
    this.#isForced = true;
    this.#server.signal(signal);
    this.#after(TERMINATE_AFTER, () => this.#server.signal('SIGTERM'));
    this.#after(KILL_AFTER, () => this.#server.signal('SIGKILL'));
    this.#after(LEAVE_AFTER, this.#leave);
  }

  #after(milliseconds: number, act: () => void): void {
    if (!this.#isOver) this.#timers.push(setTimeout(act, milliseconds));
  }
}
