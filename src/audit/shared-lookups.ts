import type { PinRecord } from '../core/registry/definition.ts';
import type { Registry } from '../gate/ports/registry-port.ts';

/** Results of lookups within one transaction, in which nobody else changes anything. */
interface Lookups {
  readonly pins: Map<string, PinRecord | undefined>;
}

/** Most pins cached per transaction. */
const MOST_PINS = 1024;

/** Caches what the connections of one process look up within their shared transaction. */
export class SharedLookups {
  readonly #transaction: () => object | undefined;
  #of: object | undefined;
  #lookups: Lookups = { pins: new Map() };

  /** @param transaction returns the open one; undefined if there is none */
  constructor(transaction: () => object | undefined) {
    this.#transaction = transaction;
  }

  /** Wraps a registry so that each pin is looked up once per transaction. */
  registry(registry: Registry): Registry {
    const forget = (): void => this.#current()?.pins.clear();
    const changed: Pick<Registry, 'pin' | 'write' | 'writeServer'> = {
      pin: (scope, kind, name) => {
        const pins = this.#current()?.pins;
        // A server's name may look like a launch's key.
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
