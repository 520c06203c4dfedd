import type { CompiledPolicy } from '../core/policy/compile.ts';
import type { PolicyChange } from '../core/policy/policy-change.ts';

/** What decides: one policy after the other, as its files change. */
export interface PolicySource {
  /**
   * Looks, now and then, whether another policy decides now. False while that is not known: nothing may be decided then, ask again a few
   * milliseconds later. Cheap enough for every message, and never throws.
   */
  refresh(): boolean;
  /** The policy that decides, as of the last `refresh`; the same value until it changes. */
  current(): CompiledPolicy;
  /** What has changed since this was last asked. */
  takeChanges(): readonly PolicyChange[];
}
