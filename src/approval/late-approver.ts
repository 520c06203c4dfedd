import type { Call } from '../core/call.ts';
import type { Decision } from '../core/decision.ts';
import type { Answer, Approval, Approver } from '../gate/ports.ts';

/** An approver that is loaded when somebody is to be asked for the first time: most processes that clients start never get there. */
export class LateApprover implements Approver {
  readonly #load: () => Promise<Approver>;
  #loaded: Promise<Approver> | undefined;

  constructor(load: () => Promise<Approver>) {
    this.#load = load;
  }

  async ask(call: Call, decision: Decision, withdrawn: AbortSignal): Promise<Approval | Answer> {
    this.#loaded ??= this.#load();
    return (await this.#loaded).ask(call, decision, withdrawn);
  }
}
