import type { PinRecord } from '../core/registry/definition.ts';
import type { Registry } from '../gate/ports/registry-port.ts';

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

  /** The same registry, of which a pin is looked up once in a transaction. */
  registry(registry: Registry): Registry {
    const forget = (): void => this.#current()?.pins.clear();
    const changed: Pick<Registry, 'pin' | 'write' | 'writeServer'> = {
      pin: (scope, kind, name) => {
        const pins = this.#current()?.pins;
        // A server may be called as a launch's key would be written.
        const owner = typeof scope === 'string' ? `name ${scope}` : `launch ${scope.launch} ${scope.server}`;
        const key = `${kind} ${owner}\0${name}`;
        if (pins?.has(key) === true) return pins.get(key);
        const pin = registry.pin(scope, kind, name);
        if (pins !== undefined && pins.size < MOST_PINS) pins.set(key, pin);
        return pin;
      },
      write: (...of) => {
        forget();
        registry.write(...of);
      },
      writeServer: (...of) => {
        forget();
        registry.writeServer(...of);
      },
    };
    return Object.assign(Object.create(registry) as Registry, changed);
  }

  #current(): Lookups | undefined {
    const transaction = this.#transaction();
    if (transaction === undefined) return undefined;
    if (transaction !== this.#of) this.#lookups = { pins: new Map() };
    this.#of = transaction;
    return this.#lookups;
  }
}
