import type { Sight, SightStatus } from '../../core/registry/definition.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { PinScope } from '../ports/registry-port.ts';

/** Bound on one server's kept news, since all of it is read with each of its lists. */
const MOST_UNTOLD = 2000;

/** Statuses that are told once; a change is told on each listing. */
const TOLD: readonly SightStatus[] = ['new', 'restored', 'returned'];

/**
 * News of one server that is recorded only once it was scanned. Until then it is kept in the store: if this process dies, the next one
 * that lists it tells of it. Call all of it in open transactions.
 */
export class UntoldNews {
  readonly #setup: GateSetup;
  readonly #launch: { readonly scope: PinScope };

  constructor(setup: GateSetup, launch: { readonly scope: PinScope }) {
    this.#setup = setup;
    this.#launch = launch;
  }

  /** Notes that these are to be told. @returns those that are kept until then */
  add(news: readonly Sight[]): ReadonlySet<Sight> {
    const added = news.filter(({ status }) => TOLD.includes(status));
    if (added.length === 0) return new Set();
    const { ports } = this.#setup;
    const untold = this.#read();
    const kept = new Set(added.slice(0, Math.max(0, MOST_UNTOLD - untold.size)));
    for (const sight of kept) untold.add(keyOf(sight));
    if (kept.size > 0) this.#write(untold);
    // Otherwise the next process to list the same would take it for known.
    for (const kind of new Set(added.map(({ definition }) => definition.kind)))
      ports.registry.writePage(this.#launch.scope, kind, '', undefined, ports.clock.now());
    return kept;
  }

  /** Takes kept news, to be told now. @returns those that nobody else has told */
  take(kept: readonly Sight[]): ReadonlySet<Sight> {
    const untold = this.#read();
    const taken = new Set(kept.filter((one) => untold.delete(keyOf(one))));
    if (taken.size > 0) this.#write(untold);
    return taken;
  }

  /** Gives unchanged definitions that were never told their earlier status. */
  recall(sights: readonly Sight[]): readonly Sight[] {
    const untold = this.#read();
    if (untold.size === 0) return sights;
    return sights.map((sight) => {
      if (sight.status !== 'unchanged') return sight;
      return TOLD.map((status) => ({ ...sight, status })).find((one) => untold.has(keyOf(one))) ?? sight;
    });
  }

  #read(): Set<string> {
    const text = this.#setup.ports.registry.untold(this.#launch.scope);
    return new Set(text === undefined ? [] : (JSON.parse(text) as string[]));
  }

  #write(untold: ReadonlySet<string>): void {
    const { clock, registry } = this.#setup.ports;
    registry.writeUntold(this.#launch.scope, untold.size === 0 ? undefined : JSON.stringify([...untold]), clock.now());
  }
}

function keyOf({ definition: { kind, name, fingerprint }, status }: Sight): string {
  return `${status} ${kind} ${fingerprint} ${name}`;
}
