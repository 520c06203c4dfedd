import type { Call } from '../../core/call.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import { CLIENT_METHODS } from '../../protocol/mcp/methods.ts';
import { declaringOf, type ListMethod } from './list-methods.ts';
import { MAY_ASK_FOR_INPUT, REVIEWED_METHODS, type ReviewedMethod, reviewedVariant, toMethodCall } from './methods.ts';
import type { GateSetup } from '../ports/ports.ts';
import { TASK_METHODS } from '../answers/tasks.ts';

/** What is always the same about a method on one connection, for as long as one policy decides. */
export interface MethodFacts {
  readonly reviewed: ReviewedMethod | undefined;
  /** The reviewed method that a lenient server may take it for. */
  readonly variant: string | undefined;
  /** The call that it is by its name alone. */
  readonly call: Call;
  /** Some rule or default may be about it. */
  readonly mayBeDecided: boolean;
  /** Some rule or default may deny a notification of it, or ask about it. */
  readonly mayBeStopped: boolean;
  readonly declaring: ListMethod | 'greeting' | undefined;
  /** It passes, and so does whatever is its answer. */
  readonly isPlain: boolean;
}

/** Names come from peers: a few are remembered, and no long ones. */
const MOST_FACTS = 256;
const LONGEST_NAME = 256;

/** What is known of the methods that a client has used. */
export class KnownMethods {
  readonly #setup: GateSetup;
  readonly #facts = new Map<string, MethodFacts>();
  #factsUnder: CompiledPolicy | undefined;
  #lastMethod = '';
  #lastFacts: MethodFacts | undefined;

  constructor(setup: GateSetup) {
    this.#setup = setup;
  }

  /** As the policy that decides now has it. */
  factsOf(method: string): MethodFacts {
    const policy = this.#setup.policy.current();
    if (policy !== this.#factsUnder) {
      this.#facts.clear();
      this.#lastFacts = undefined;
      this.#factsUnder = policy;
    }
    // Thousands may come in a row.
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
    // Names come from peers: a few are remembered, and no long ones.
    if (this.#facts.size < MOST_FACTS && method.length <= LONGEST_NAME) this.#facts.set(method, facts);
    return facts;
  }
}
