import type { Call } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import type { Answer } from '../ports/approval-port.ts';
import type { Ports } from '../ports/ports.ts';

/**
 * So many calls of either side may wait for a person at once. Nobody answers as many questions; without a bound, a peer could make us
 * remember for ever and bury the one that matters.
 */
export const MOST_ASKED = 1000;

/** What a person is asked about, and who made it. */
interface Asked {
  readonly from: 'client' | 'server';
  readonly call: Call;
}

/** Asks a person about the calls of one connection. */
export class Asking {
  readonly #ports: Pick<Ports, 'approver' | 'warn'>;
  /** How many calls wait for a person. */
  readonly #waiting = { client: 0, server: 0 };

  constructor(ports: Pick<Ports, 'approver' | 'warn'>) {
    this.#ports = ports;
  }

  /** May one more call of this side wait? */
  hasRoom(from: Asked['from']): boolean {
    return this.#waiting[from] < MOST_ASKED;
  }

  /** Never rejects: whatever goes wrong is no yes. */
  async ask({ from, call }: Asked, decision: Decision, withdrawn: AbortSignal): Promise<Answer> {
    this.#waiting[from]++;
    try {
      // An approver that does not hear of the withdrawal must not keep the call's place.
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

/** The questions to a person that are open on one connection. Once it has come to its end, there are no more. */
export class Questions {
  readonly #open = new Set<AbortController>();
  #areOver = false;

  /** What withdraws a question that is about to be asked; it is withdrawn already where nobody is left to hear of the answer. */
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

  /** Withdraws all, and those that are still to come. */
  withdrawAll(): void {
    this.#areOver = true;
    this.withdrawOpen();
  }

  /** Withdraws those that are open. */
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
