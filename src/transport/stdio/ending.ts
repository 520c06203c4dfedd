import type { ServerProcess } from './child-process.ts';

/** Milliseconds that a server may take to finish by itself after end of input (MCP lifecycle; SDK clients wait as long). */
const GRACE = 2000;
/** Milliseconds after a signal: SIGTERM, then SIGKILL, then we exit in any case. Clients kill us 500 ms after their first signal. */
const TERMINATE_AFTER = 150;
const KILL_AFTER = 300;
const LEAVE_AFTER = 380;

/** The signals that end a conversation from our side. */
export const ENDING_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Ends a server: first gently, then by force. Each step happens once, however often and in whatever order the client closes its pipe and
 * sends signals.
 */
export class Ending {
  readonly #server: ServerProcess;
  readonly #leave: () => void;
  #timers: NodeJS.Timeout[] = [];
  #isForced = false;
  #hasServerEnded = false;
  #isOver = false;

  /** @param leave called when our time is over, whatever still runs */
  constructor(server: ServerProcess, leave: () => void) {
    this.#server = server;
    this.#leave = leave;
  }

  /** True once signals are sent: then the server's descendants must end too. */
  get isForced(): boolean {
    return this.#isForced;
  }

  /** Handles the client's closed pipe: the server sees the end of input, and has time to finish. */
  inputClosed(): void {
    this.#server.stdin.end();
    if (this.#isForced || this.#hasServerEnded) return;
    this.#after(GRACE, () => this.#force('SIGTERM'));
  }

  /** Handles a signal to us: the server gets the same signal at once. */
  signalled(signal: NodeJS.Signals): void {
    this.#server.stdin.end();
    this.#force(signal);
  }

  /** Handles the server's exit. Its descendants are left alone unless it was forced to end. */
  serverEnded(): void {
    this.#hasServerEnded = true;
    if (!this.#isForced) this.#cancel();
  }

  /** Cancels all further steps. */
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
