import type { Call, Category } from '../../core/call.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import { addByArguments, classifySubject } from '../../core/match/subject.ts';
import type { RegistryFacts } from '../../core/facts.ts';

/** Bounds of the remembered names, since peers choose them. */
const MOST_KNOWN = 256;
const LONGEST_NAME = 256;

interface Known {
  readonly policy: CompiledPolicy;
  /** The facts of the definition that count. */
  readonly about: string;
  readonly categories: readonly Category[];
}

interface Knowledge {
  readonly policy: CompiledPolicy;
  readonly registry: RegistryFacts | undefined;
}

/** Caches the categories of called tools: reading a definition costs more than the rest of a decision, and it rarely changes. */
export class ToolCategories {
  readonly #known = new Map<string, Known>();
  /** Categories of the call asked about last, and of calls that wait to be settled; most are settled at once. */
  #last: { readonly call: Call; readonly categories: readonly Category[] } | undefined;
  readonly #waiting = new WeakMap<Call, readonly Category[]>();

  /** The categories of a call's tool; kept until `take`. */
  of(call: Call, known: Knowledge): readonly Category[] {
    const categories = this.#find(call, known);
    const last = this.#last;
    if (last !== undefined && last.call !== call) this.#waiting.set(last.call, last.categories);
    this.#last = { call, categories };
    return categories;
  }

  /** Takes the kept categories of a call that is settled now; undefined if nobody asked for them. */
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
