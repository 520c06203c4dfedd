import type { KnownServer } from '../protocol/llm/tool-names/read-tool-name.ts';
import type { Clock } from './ports.ts';
import type { Registry } from './registry-port.ts';

/** Milliseconds for which is not asked again which servers and tools there are. */
const KNOWN_FOR = 250;

/** Tens of thousands of tools take tens of milliseconds, in which nothing else goes on: so many times as long is not asked again. */
const REST = 50;

const NO_SERVERS: readonly KnownServer[] = [];

/** The servers and tools that are known, for the names by which models call them. */
export class KnownTools {
  readonly #registry: Pick<Registry, 'tools'>;
  readonly #clock: Pick<Clock, 'elapsed'>;
  #servers: readonly KnownServer[] = NO_SERVERS;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #seen = '';

  constructor({ registry, clock }: { readonly registry: Pick<Registry, 'tools'>; readonly clock: Pick<Clock, 'elapsed'> }) {
    this.#registry = registry;
    this.#clock = clock;
  }

  /** The same array as long as nothing has changed. To be called while the recorder is open; throws where the store fails. */
  servers(): readonly KnownServer[] {
    const now = this.#clock.elapsed() / 1000;
    if (now < this.#freshUntil) return this.#servers;
    const servers = Array.from(this.#registry.tools(), ([name, tools]) => ({ name, tools }));
    const seen = JSON.stringify(servers);
    const end = this.#clock.elapsed() / 1000;
    this.#freshUntil = end + Math.max(KNOWN_FOR, REST * (end - now));
    if (seen === this.#seen) return this.#servers;
    this.#seen = seen;
    this.#servers = servers;
    return servers;
  }
}
