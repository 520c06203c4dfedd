import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../core/call.ts';
import type { Decision } from '../core/decision.ts';
import type { Policy } from '../core/policy/tables.ts';
import type { Answer, Asker, FloodLimit, Question, QuestionStatus, QuestionStore, Refused } from '../gate/ports/approval-port.ts';
import type { ClosableApprover } from './lazy-approver.ts';
import { RefusalNotices, type RefusalNoticesOptions } from './refusal-notices.ts';
import { toQuestion } from './to-question.ts';

/** Limit per server: after `most` questions within the time, further ones are denied as a flood. */
const FLOOD: FloodLimit = { most: 10, within: 60_000 };

/** Milliseconds between two reads of the answers: instant for a person, cheap for the machine. */
const POLL_MS = 200;

/** Milliseconds to wait for a store that others hold: to write a question, and after its deadline to end it. */
const PATIENCE_MS = 2000;
const BUSY_PAUSE_MS = 10;

/** Most attempts to withdraw questions that nobody waits for; they also expire by themselves. */
const MOST_TRIES = 20;

export interface QueueApproverOptions {
  readonly store: QuestionStore;
  /** Reads the key for fingerprints, or throws. */
  readonly key: () => Buffer;
  readonly session: () => string;
  /** This process. */
  readonly asker: Asker;
  /** Returns the current policy. */
  readonly policy: () => Pick<Policy, 'approval' | 'file'>;
  /** Points a person to a waiting question. Never throws or waits. */
  readonly notify: (question: Question) => void;
  /** Called once a question waits, whatever the channels. Never throws or waits. */
  readonly notifyOthers?: (() => void) | undefined;
  /** Points a person to what a server declares and is refused. Never throws or waits. */
  readonly notifyRefused: RefusalNoticesOptions['notify'];
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

interface Waiting {
  readonly settle: (answer: Answer) => void;
  /** The deadline on `performance.now`'s clock. */
  readonly deadline: number;
}

/**
 * Asks by writing the question where `clawai approvals` finds it, and polls for the answer. Any number of calls wait at once, each for its
 * own answer. Any failure is `unavailable`, and so a denial.
 */
export class QueueApprover implements ClosableApprover {
  readonly #options: QueueApproverOptions;
  readonly #refusals: RefusalNotices;
  readonly #waiting = new Map<string, Waiting>();
  /** Questions that nobody waits for any more, and the attempts so far to withdraw them. */
  readonly #withdrawn = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #isTakingBack = false;
  /** The last reported failure. */
  #lastWarning = '';

  constructor(options: QueueApproverOptions) {
    this.#options = options;
    this.#refusals = new RefusalNotices({ ...options, notify: options.notifyRefused });
  }

  async ask(call: Call, decision: Decision, withdrawn: AbortSignal): Promise<Answer> {
    const { file: policyFile, approval } = this.#options.policy();
    const { channels, timeout } = approval;
    if (!channels.includes('terminal')) return { approval: 'unavailable' };
    let question: Question;
    try {
      const { session, asker, key } = this.#options;
      question = toQuestion(call, decision, { session: session(), asker, key: key(), timeout, policyFile });
      const started = performance.now();
      for (;;) {
        if (withdrawn.aborted) return { approval: 'withdrawn' };
        const outcome = this.#options.store.ask(question, FLOOD);
        if (outcome?.kind === 'flood') return { approval: 'flood' };
        if (outcome?.kind === 'remembered') return { approval: 'granted', id: outcome.id, by: outcome.by, remember: 'session' };
        if (outcome !== undefined) break;
        if (performance.now() - started > PATIENCE_MS) throw new Error('other processes have locked the store');
        await pause(BUSY_PAUSE_MS);
      }
    } catch (thrown) {
      this.#tell(thrown);
      return { approval: 'unavailable' };
    }
    if (channels.includes('desktop')) this.#options.notify(question);
    this.#options.notifyOthers?.();
    return this.#answerTo(question.id, timeout, withdrawn);
  }

  tell(refused: Refused): void {
    this.#refusals.add(refused);
  }

  /** Withdraws the waiting questions and closes the store. */
  close(): void {
    this.#refusals.flush();
    clearTimeout(this.#timer);
    try {
      this.#takeBack();
    } catch (thrown) {
      // The question expires by itself.
      this.#tell(thrown);
    }
    this.#options.store.close();
  }

  #answerTo(id: string, timeout: number, withdrawn: AbortSignal): Promise<Answer> {
    return new Promise((resolve) => {
      const takeBack = (): void => {
        if (!this.#waiting.delete(id)) return;
        this.#withdrawn.set(id, 0);
        this.#takeBackSoon();
        resolve({ approval: 'withdrawn', id });
      };
      const settle = (answer: Answer): void => {
        withdrawn.removeEventListener('abort', takeBack);
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, { settle, deadline: performance.now() + timeout });
      withdrawn.addEventListener('abort', takeBack, { once: true });
      this.#lookLater();
    });
  }

  /** Reads the store once for all waiting questions. */
  #look(): void {
    const { store } = this.#options;
    try {
      this.#takeBack();
      const ended = store.ended([...this.#waiting.keys()]);
      for (const [id, status] of ended ?? []) this.#conclude(id, status);
      const now = performance.now();
      const over = [...this.#waiting].filter(([, { deadline }]) => deadline <= now).map(([id]) => id);
      // An answer may just have come: the status in the store counts.
      const expired = over.length === 0 ? undefined : store.end(over, 'expired', Date.now());
      for (const [id, status] of expired ?? []) this.#conclude(id, status);
      this.#lastWarning = '';
    } catch (thrown) {
      this.#tell(thrown);
    }
    const latest = performance.now() - PATIENCE_MS;
    for (const [id, { deadline, settle }] of this.#waiting) {
      if (deadline > latest) continue;
      // A person who answers once the store is free must see that the question is over.
      this.#withdrawn.set(id, 0);
      settle({ approval: 'unavailable', id });
    }
  }

  #conclude(id: string, { state, by, remember }: QuestionStatus): void {
    if (state === 'waiting') return;
    // The caller still waits, so somebody else withdrew the question: the store was tampered with.
    const approval = state === 'withdrawn' ? 'unavailable' : state;
    this.#waiting.get(id)?.settle({ approval, id, by, remember });
  }

  /** Withdraws questions together: a client that disconnects withdraws all its calls at once. It is done before this process exits. */
  #takeBackSoon(): void {
    if (this.#isTakingBack) return;
    this.#isTakingBack = true;
    queueMicrotask(() => {
      this.#isTakingBack = false;
      try {
        this.#takeBack();
      } catch (thrown) {
        this.#tell(thrown);
      }
      this.#lookLater();
    });
  }

  #takeBack(): void {
    if (this.#withdrawn.size === 0) return;
    for (const [id, tries] of this.#withdrawn) {
      if (tries >= MOST_TRIES) this.#withdrawn.delete(id);
      else this.#withdrawn.set(id, tries + 1);
    }
    if (this.#options.store.end([...this.#withdrawn.keys()], 'withdrawn', Date.now()) !== undefined) this.#withdrawn.clear();
  }

  #lookLater(): void {
    if (this.#timer !== undefined || (this.#waiting.size === 0 && this.#withdrawn.size === 0)) return;
    // The caller that waits keeps the process alive; this timer does not.
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look();
      this.#lookLater();
    }, POLL_MS).unref();
  }

  #tell(thrown: unknown): void {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    if (reason === this.#lastWarning) return;
    this.#lastWarning = reason;
    this.#options.warn(`cannot ask for approval, so such calls are denied: ${reason}`);
  }
}
