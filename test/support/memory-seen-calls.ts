import { canonicalJson } from '../../src/core/json.ts';
import type { StoredCall, LinkedCall, SeenCall, SeenCalls } from '../../src/gate/ports/seen-call-port.ts';

/** Sightings in memory; what is taken back is not, so it stands for a store that never fails. */
export class MemorySeenCalls implements SeenCalls {
  readonly #kept = new Map<string, StoredCall[]>();
  /** How often it was asked for something. */
  asked = 0;
  #last = 0;

  add(session: string, call: LinkedCall, seenCall: SeenCall): void {
    this.#kept.set(keyOf(session, call), [...this.of(session, call), { ...seenCall, session, n: ++this.#last }]);
  }

  of(session: string, call: LinkedCall): readonly StoredCall[] {
    this.asked++;
    return this.#kept.get(keyOf(session, call)) ?? [];
  }

  named(call: LinkedCall, toolUseId: string): readonly StoredCall[] {
    this.asked++;
    return this.left.filter((each) => each.toolUseId === toolUseId && this.of(each.session, call).includes(each));
  }

  remove(session: string, call: LinkedCall, n: number): void {
    const left = this.of(session, call).filter((each) => each.n !== n);
    this.#kept.set(keyOf(session, call), left);
  }

  /** All that are left. */
  get left(): readonly StoredCall[] {
    return [...this.#kept.values()].flat();
  }
}

function keyOf(session: string, { server, tool = '', args = {} }: LinkedCall): string {
  return canonicalJson([session, server, tool, args]);
}
