import type { Call } from '../../core/call.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import { CLIENT_METHODS } from '../../protocol/mcp/methods.ts';
import { declaringOf, type ListMethod } from './list-methods.ts';
import { MAY_ASK_FOR_INPUT, REVIEWED_METHODS, type ReviewedMethod, reviewedVariant, toMethodCall } from './methods.ts';
import type { GateSetup } from '../ports/ports.ts';
import { TASK_METHODS } from '../answers/tasks.ts';

/** Facts about a method on one connection, which only change with the policy. */
export interface MethodFacts {
  readonly reviewed: ReviewedMethod | undefined;
  /** The reviewed method that a lenient server may take it for. */
  readonly variant: string | undefined;
  /** The call that its name alone makes. */
  readonly call: Call;
  /** True if some rule or default may concern it. */
  readonly mayBeDecided: boolean;
  /** True if some rule or default may deny a notification of it, or ask about it. */
  readonly mayBeStopped: boolean;
  readonly declaring: ListMethod | 'greeting' | undefined;
  /** True if it passes, together with any answer to it. */
  readonly isPlain: boolean;
}

/** Bounds of the remembered methods, since peers choose their names. */
const MOST_FACTS = 256;
const LONGEST_NAME = 256;

/** Remembers the facts about the methods that a client has used. */
export class KnownMethods {
  readonly #setup: GateSetup;
  readonly #facts = new Map<string, MethodFacts>();
  #factsUnder: CompiledPolicy | undefined;
  #lastMethod = '';
  #lastFacts: MethodFacts | undefined;

  constructor(setup: GateSetup) {
    this.#setup = setup;
  }

  /** The facts under the current policy. */
  factsOf(method: string): MethodFacts {
    const policy = this.#setup.policy.current();
    if (policy !== this.#factsUnder) {
      this.#facts.clear();
      this.#lastFacts = undefined;
      this.#factsUnder = policy;
    }
    // Thousands of one method may come in a row.
    if (method === this.#lastMethod && this.#lastFacts !== undefined) return this.#lastFacts;
    const facts = this.#facts.get(method) ?? this.#makeFacts(method, policy);
    if (method.length > LONGEST_NAME) return facts;
    this.#lastMethod = method;
    this.#lastFacts = facts;
    return facts;
  }

  #makeFacts(method: string, policy: CompiledPolicy): MethodFacts {
    const { server } = this.#setup;
    const call = toMethodCall(server, method);
    const reviewed = REVIEWED_METHODS.get(method);
    const variant = CLIENT_METHODS.has(method) ? undefined : reviewedVariant(method);
    const declaring = declaringOf(method);
    const isUnknown = call.isUnknownMethod === true;
    const mayBeDecided = isUnknown || policy.concernsMethod(method);
    const isAnswered = declaring !== undefined || MAY_ASK_FOR_INPUT.has(method) || TASK_METHODS.has(method);
    const isSpecial = reviewed !== undefined || variant !== undefined || isAnswered;
    const facts: MethodFacts = {
      reviewed,
      variant,
      call,
      declaring,
      mayBeDecided,
      mayBeStopped: isUnknown || policy.mayStop(call),
      isPlain: !isSpecial && !mayBeDecided,
    };
    if (this.#facts.size < MOST_FACTS && method.length <= LONGEST_NAME) this.#facts.set(method, facts);
    return facts;
  }
}
