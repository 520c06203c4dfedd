import type { Call } from '../core/call.ts';
import type { CompiledPolicy } from '../core/policy/compile.ts';
import { createSubject } from '../core/policy/subject.ts';
import type { Category } from '../core/registry/category.ts';
import type { RegistryFacts } from '../core/registry/facts.ts';

/** Names come from peers: so many are remembered, and no long ones. */
const MOST_KNOWN = 256;
const LONGEST_NAME = 256;

interface Known {
  readonly policy: CompiledPolicy;
  /** What of the definition counts. */
  readonly about: string;
  readonly categories: readonly Category[];
}

/** What kinds of tools were called. Reading a tool's definition costs more than all else that is decided of a call, and it rarely changes. */
export class Kinds {
  readonly #known = new Map<string, Known>();

  of(
    call: Call,
    { policy, registry }: { readonly policy: CompiledPolicy; readonly registry: RegistryFacts | undefined },
  ): readonly Category[] {
    const { tool } = call;
    const subject = (): readonly Category[] =>
      createSubject(call, { policy, ...(registry === undefined ? {} : { registry }) }).categories();
    if (tool === undefined || tool.length > LONGEST_NAME) return subject();
    const about = registry === undefined ? '' : `${registry.fingerprint} ${registry.status} ${registry.isServerChanged}`;
    const known = this.#known.get(tool);
    if (known?.policy === policy && known.about === about) return known.categories;
    const categories = subject();
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(tool, { policy, about, categories });
    return categories;
  }
}
