import type { Call } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import type { Answer, AskByClient } from '../ports/approval-port.ts';
import type { Ports } from '../ports/ports.ts';
import { askedFlows } from '../../core/flow/words.ts';
import { distrustIdentity } from '../../core/registry/trust.ts';

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

/** Asks a person about the calls of one connection, through the approver. */
export class Asking {
  readonly #ports: Pick<Ports, 'approver' | 'warn'>;
  readonly #byClient: AskByClient | undefined;
  /** Numbers of calls that wait for a person. */
  readonly #waiting = { client: 0, server: 0 };

  constructor(ports: Pick<Ports, 'approver' | 'warn'>, byClient?: AskByClient) {
    this.#ports = ports;
    this.#byClient = byClient;
  }

  /** Tells whether one more call of this side may wait. */
  hasRoom(from: Asked['from']): boolean {
    return this.#waiting[from] < MOST_ASKED;
  }

  /** Asks a person. Never rejects: any failure counts as no approval. */
  async ask({ from, call }: Asked, decision: Decision, withdrawn: AbortSignal): Promise<Answer> {
    this.#waiting[from]++;
    try {
      // An approver that ignores the withdrawal must not keep the call waiting.
      const asked = this.#ports.approver.ask(call, decision, withdrawn, this.#byClient);
      const given = await Promise.race([asked, untilAborted(withdrawn)]);
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

  /** Keeps a question open, so that it can be withdrawn, until its answer is settled. */
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

/**
 * Identifies a question to a person as text: policy, rule and definition. Undefined if the question depends on the rest of the session: an
 * earlier answer does not count then.
 */
export function questionIdentity(decision: Decision): string | undefined {
  const { action, reason, rule, distrust, policyHash } = decision;
  if (action !== 'prompt' || askedFlows(decision).length > 0) return undefined;
  return JSON.stringify([
    policyHash,
    reason,
    rule?.source ?? null,
    rule?.index ?? null,
    distrust === undefined ? null : distrustIdentity(distrust),
  ]);
}

/** Tells whether two prompts ask the same, so that the answer to `a` counts for `b`. In an edited policy, a rule may stand elsewhere. */
export function isSameQuestion(a: Decision, b: Decision): boolean {
  if (a.reason !== b.reason || !isSameFlow(a, b)) return false;
  const [was, is] = [a, b].map(({ distrust }) => distrust && distrustIdentity(distrust));
  if (was !== is) return false;
  if (a.reason === 'detection' && !isSameFound(a, b)) return false;
  if (a.isRedacted !== b.isRedacted || !areSameSecrets(a, b)) return false;
  if (a.rule === undefined || b.rule === undefined) return a.rule === b.rule;
  if (a.rule.source !== b.rule.source) return false;
  if (a.policyHash === b.policyHash) return a.rule.index === b.rule.index;
  return a.rule.id === b.rule.id && a.rule.description === b.rule.description;
}

/** Tells whether `b` has no finding that `a` lacks: the person did not see it. */
function isSameFound(a: Decision, b: Decision): boolean {
  return b.findings.every((now) => a.findings.some(({ rule, field }) => rule === now.rule && field === now.field));
}

/** Tells whether `b` has no secret that `a` lacks, if that is what the person is asked about. */
function areSameSecrets(a: Decision, { reason, dlp = [] }: Decision): boolean {
  return reason !== 'dlp' || dlp.every((now) => a.dlp?.some(({ kind, path }) => kind === now.kind && path === now.path) === true);
}

/**
 * Tells whether `b` has no flow that `a` lacks. Flows that only alert ask nobody. Other related calls change nothing: what was read meanwhile
 * cannot be in the call. Evidence that is found only now is new: the person did not see that value.
 */
function isSameFlow(a: Decision, b: Decision): boolean {
  const before = askedFlows(a);
  return askedFlows(b).every((now) =>
    before.some(({ rule, evidence }) => rule === now.rule && (now.evidence === undefined || evidence !== undefined)),
  );
}
