import type { PastCall } from '../core/flow/window.ts';
import type { LogVersion, RememberedValues, SessionEntry, SessionLog } from '../gate/session-port.ts';

/** Does something with the log of sessions that there is; throws where there is none yet. */
export type UseSessionLog = <T>(work: (log: SessionLog) => T) => T;

/** A log of sessions that is elsewhere: in the transaction that a store has begun, or not loaded yet. */
export class LateSessionLog implements SessionLog {
  readonly #use: UseSessionLog;

  constructor(use: UseSessionLog) {
    this.#use = use;
  }

  version(): LogVersion {
    return this.#use((log) => log.version());
  }

  current(name: string, times: { readonly now: number; readonly idle: number }): string {
    return this.#use((log) => log.current(name, times));
  }

  entries(session: string, after: number, most: number): readonly SessionEntry[] {
    return this.#use((log) => log.entries(session, after, most));
  }

  addCall(session: string, call: PastCall): number {
    return this.#use((log) => log.addCall(session, call));
  }

  recorded(session: string, since: number, most: number): readonly PastCall[] {
    return this.#use((log) => log.recorded(session, since, most));
  }

  retract(session: string, id: string, now: number): number {
    return this.#use((log) => log.retract(session, id, now));
  }

  addServer(session: string, server: string, now: number): void {
    this.#use((log) => log.addServer(session, server, now));
  }

  servers(session: string): readonly string[] {
    return this.#use((log) => log.servers(session));
  }

  latestOf(servers: readonly string[], since: number): string | undefined {
    return this.#use((log) => log.latestOf(servers, since));
  }

  values(session: string, after: number, most: number): readonly RememberedValues[] {
    return this.#use((log) => log.values(session, after, most));
  }

  addValues(session: string, values: Omit<RememberedValues, 'n'>): number {
    return this.#use((log) => log.addValues(session, values));
  }
}
