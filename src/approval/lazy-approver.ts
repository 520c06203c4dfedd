import type { Call } from '../core/call.ts';
import type { Decision } from '../core/decision.ts';
import type { Answer, Approval, Approver, AskByClient, Refused } from '../gate/ports/approval-port.ts';

/** An approver that holds resources. */
export interface ClosableApprover extends Approver {
  /** Ends all questions. Never throws. */
  close(): void;
}

/** An approver that is loaded at the first question: most processes that clients start never ask one. */
export class LazyApprover implements ClosableApprover {
  readonly #load: () => Promise<ClosableApprover>;
  #loading: Promise<void> | undefined;
  #loaded: ClosableApprover | undefined;

  constructor(load: () => Promise<ClosableApprover>) {
    this.#load = load;
  }

  async ask(call: Call, decision: Decision, withdrawn: AbortSignal, byClient?: AskByClient): Promise<Approval | Answer> {
    await this.#ready();
    return this.#loaded?.ask(call, decision, withdrawn, byClient) ?? 'unavailable';
  }

  tell(refused: Refused): void {
    // The next `ask` reports the failure.
    this.#ready().then(
      () => this.#loaded?.tell?.(refused),
      () => {},
    );
  }

  close(): void {
    this.#loaded?.close();
  }

  #ready(): Promise<void> {
    return (this.#loading ??= this.#load().then((loaded) => {
      this.#loaded = loaded;
    }));
  }
}
