import type { Call, Category } from '../../core/call.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import { addByArguments, classifySubject } from '../../core/match/subject.ts';
import type { RegistryFacts } from '../../core/facts.ts';

/** Names come from peers: so many are remembered, and no long ones. */
const MOST_KNOWN = 256;
const LONGEST_NAME = 256;

interface Known {
  readonly policy: CompiledPolicy;
  /** What of the definition counts. */
  readonly about: string;
  readonly categories: readonly Category[];
}

interface Knowledge {
  readonly policy: CompiledPolicy;
  readonly registry: RegistryFacts | undefined;
}

/** What kinds of tools were called. Reading a tool's definition costs more than all else that is decided of a call, and it rarely changes. */
export class Kinds {
  readonly #known = new Map<string, Known>();
  /** Of the call that was asked about last, until it is settled, and of others that wait for that: most are settled at once. */
  #last: { readonly call: Call; readonly categories: readonly Category[] } | undefined;
  readonly #waiting = new WeakMap<Call, readonly Category[]>();

  /** The kinds of the tool that a call is of; remembered until `take`. */
  of(call: Call, known: Knowledge): readonly Category[] {
    const categories = this.#find(call, known);
    const last = this.#last;
    if (last !== undefined && last.call !== call) this.#waiting.set(last.call, last.categories);
    this.#last = { call, categories };
    return categories;
  }

  /** What was said of a call last, which is settled now; undefined where nobody asked. */
  take(call: Call): readonly Category[] | undefined {
    const last = this.#last;
    if (last?.call !== call) return this.#waiting.get(call);
    this.#last = undefined;
    return last.categories;
  }

  #find(call: Call, { policy, registry }: Knowledge): readonly Category[] {
    const { tool } = call;
    const facts = { policy, registry };
    if (tool === undefined || tool.length > LONGEST_NAME) return addByArguments(classifySubject(call, facts), call, facts);
    const about = registry === undefined ? '' : `${registry.fingerprint} ${registry.status} ${registry.isServerChanged}`;
    const known = this.#known.get(tool);
    if (known?.policy === policy && known.about === about) return addByArguments(known.categories, call, facts);
    const categories = classifySubject(call, facts);
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(tool, { policy, about, categories });
    return addByArguments(categories, call, facts);
  }
}
