import type { Call } from '../core/call.ts';
import type { Intercepted } from './ports.ts';

/** Ids that are remembered; the oldest go first. */
const MOST_IDS = 4096;

/** A denied call, as the policy and the model name it. */
export interface DeniedByModel {
  readonly call: Call;
  readonly intercepted: Intercepted;
}

/**
 * Which of the results that clients send are of calls that were denied: somebody has made the call all the same, or made up a result. Some
 * providers give an id more than once; an id that an allowed call has had, too, says nothing.
 */
export class DeniedResults {
  /** Undefined once it has been told of. */
  readonly #denied = new Map<string, DeniedByModel | undefined>();
  readonly #allowed = new Map<string, true>();

  deny(denied: DeniedByModel): void {
    const { id } = denied.intercepted;
    if (id !== '' && !this.#allowed.has(id)) remember(this.#denied, id, denied);
  }

  allow(id: string): void {
    this.#denied.delete(id);
    if (id !== '') remember(this.#allowed, id, true);
  }

  /** The call that was denied under this id, if one was; each is told once. */
  take(id: string): DeniedByModel | undefined {
    const denied = this.#denied.get(id);
    if (denied !== undefined) this.#denied.set(id, undefined);
    return denied;
  }
}

function remember<T>(map: Map<string, T>, id: string, value: T): void {
  // What is known already stays as it is: what has been told of is not told again.
  if (map.has(id)) return;
  map.set(id, value);
  const [oldest] = map.keys();
  if (map.size > MOST_IDS && oldest !== undefined) map.delete(oldest);
}
