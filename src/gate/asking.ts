import type { Call } from '../core/call.ts';
import type { Decision } from '../core/decision.ts';
import type { Answer } from './approver-port.ts';
import type { Ports } from './ports.ts';
import { untilAborted } from './questions.ts';

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
