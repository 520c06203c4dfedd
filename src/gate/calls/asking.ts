import type { Call } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import type { Answer } from '../ports/approval-port.ts';
import type { Ports } from '../ports/ports.ts';

/**
 * Most calls of either side that may wait for a person at once. Nobody answers that many questions; without a bound, a peer could fill the
 * memory and bury the question that matters.
 */
export const MOST_ASKED = 1000;

/** The call that a person is asked about, and its sender. */
interface Asked {
  readonly from: 'client' | 'server';
  readonly call: Call;
}

/** Asks a person about the calls of one connection. */
export class Asking {
  readonly #ports: Pick<Ports, 'approver' | 'warn'>;
  /** Numbers of calls that wait for a person. */
  readonly #waiting = { client: 0, server: 0 };

  constructor(ports: Pick<Ports, 'approver' | 'warn'>) {
    this.#ports = ports;
  }

  /** Tells whether one more call of this side may wait. */
  hasRoom(from: Asked['from']): boolean {
    return this.#waiting[from] < MOST_ASKED;
  }

  /** Asks a person. Never rejects: any failure counts as no approval. */
  async ask({ from, call }: Asked, decision: Decision, withdrawn: AbortSignal): Promise<Answer> {
    this.#waiting[from]++;
    try {
      // An approver that misses the withdrawal must not keep the call's place.
      const given = await Promise.race([this.#ports.approver.ask(call, decision, withdrawn), untilAborted(withdrawn)]);
      return typeof given === 'string' ? { approval: given } : given;
    } catch (error) {
      this.#ports.warn(`denied ${call.method}, because asking for approval failed: ${String(error)}`);
      return { approval: 'unavailable' };
    } finally {
      this.#waiting[from]--;
    }
  }
}

/** The open questions of one connection. Once the connection is over, no new ones are opened. */
export class Questions {
  readonly #open = new Set<AbortController>();
  #areOver = false;

  /** Creates the controller that withdraws a new question; already aborted if nobody is left to hear the answer. */
  create(): AbortController {
    const controller = new AbortController();
    if (this.#areOver) controller.abort();
    return controller;
  }

  /** Keeps a question open until it is settled. */
  async hold<T>(controller: AbortController, settled: Promise<T>): Promise<T> {
    this.#open.add(controller);
    try {
      return await settled;
    } finally {
      this.#open.delete(controller);
    }
  }

  /** Withdraws all questions, including later ones. */
  withdrawAll(): void {
    this.#areOver = true;
    this.withdrawOpen();
  }

  /** Withdraws the open questions. */
  withdrawOpen(): void {
    for (const controller of this.#open) controller.abort();
  }
}

/** Resolves when a question is withdrawn. */
export function untilAborted(signal: AbortSignal): Promise<'withdrawn'> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('withdrawn'), { once: true });
  });
}
