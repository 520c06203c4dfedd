import type { DefinitionKind, PinRecord, PinWrite } from '../core/registry/definition.ts';
import type { LaunchIdentity, PinScope, Registry } from '../gate/ports/registry-port.ts';
import { LateRegistry, type UseRegistry } from './late-stores.ts';

/** What is looked up again and again within one transaction, in which nobody else changes anything. */
interface Lookups {
  readonly pins: Map<string, PinRecord | undefined>;
}

/** So many pins are kept of one transaction. */
const MOST_PINS = 1024;

/** What the connections of one process look up within the transactions that they share, once for all of them. */
export class SharedLookups {
  readonly #transaction: () => object | undefined;
  #of: object | undefined;
  #lookups: Lookups = { pins: new Map() };

  /** @param transaction the one that is open; undefined where none is */
  constructor(transaction: () => object | undefined) {
    this.#transaction = transaction;
  }

  registry(use: UseRegistry): Registry {
    return new SharedRegistry(use, () => this.#current());
  }

  #current(): Lookups | undefined {
    const transaction = this.#transaction();
    if (transaction === undefined) return undefined;
    if (transaction !== this.#of) this.#lookups = { pins: new Map() };
    this.#of = transaction;
    return this.#lookups;
  }
}

class SharedRegistry extends LateRegistry {
  readonly #lookups: () => Lookups | undefined;

  constructor(use: UseRegistry, lookups: () => Lookups | undefined) {
    super(use);
    this.#lookups = lookups;
  }

  override pin(scope: PinScope, kind: DefinitionKind, name: string): PinRecord | undefined {
    const pins = this.#lookups()?.pins;
    // A server may be called as a launch's key would be written.
    const owner = typeof scope === 'string' ? `name ${scope}` : `launch ${scope.launch} ${scope.server}`;
    const key = `${kind} ${owner}\0${name}`;
    if (pins?.has(key) === true) return pins.get(key);
    const pin = super.pin(scope, kind, name);
    if (pins !== undefined && pins.size < MOST_PINS) pins.set(key, pin);
    return pin;
  }

  override write(scope: PinScope, writes: readonly PinWrite[], now: number): void {
    this.#lookups()?.pins.clear();
    super.write(scope, writes, now);
  }

  override writeServer(
    scope: PinScope,
    identity: LaunchIdentity,
    options: { readonly isPinned: boolean; readonly now: number },
  ): void {
    this.#lookups()?.pins.clear();
    super.writeServer(scope, identity, options);
  }
}
