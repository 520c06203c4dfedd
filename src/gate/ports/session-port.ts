import type { Evidence, PastCall } from '../../core/finding.ts';
import type { ReadValues } from '../../core/flow/values/result-reader.ts';
import type { JsonObject } from '../../core/json.ts';

export type { ReadValues } from '../../core/flow/values/result-reader.ts';

/** By what a call that came by a URL is of its session: its client's process, the client's other servers, or the URL alone. */
export type SessionBy = 'process' | 'servers' | 'url';

/** What is noted of a session, in order: its calls, and which of them are taken back. */
export type SessionEntry = { readonly n: number } & (
  | { readonly kind: 'call'; readonly call: PastCall }
  | { readonly kind: 'retracted'; readonly id: string }
);

/** What is remembered of the results of one call: keyed hashes of the values in them. */
export interface RememberedValues {
  /** Place among those of the session, from 1. */
  readonly n: number;
  /** Id of the call, and who answered it. */
  readonly source: string;
  readonly server: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** As the values' own code writes them. */
  readonly hashes: Uint8Array;
}

/** Numbers that are others once what a process knows of the log need not be so any more. */
export interface LogVersion {
  /** Other processes have written anything since the last transaction; what this one writes changes nothing. */
  readonly others: number;
  /** What this process wrote, or read of what it wrote, was taken back with its transaction. */
  readonly lost: number;
}

/**
 * What all processes of one session know of it. Every method is called between the sink's `begin` and `commit`, and what it does is part
 * of that transaction. Each throws where the store fails.
 */
export interface SessionLog {
  version(): LogVersion;
  /**
   * The session that goes on under a name. Where nothing has happened in it for `idle` milliseconds it is over, and another begins,
   * which has the name and a number, `s-1`, then `s-1.2`, the same servers, and what the longest window looks back at.
   */
  current(name: string, times: { readonly now: number; readonly idle: number }): string;
  /** What was noted after `n`, oldest first; the newest `most` at most. */
  entries(session: string, after: number, most: number): readonly SessionEntry[];
  /** Notes a call; one that did not go on counts for nothing, and need not be kept. @returns its place, or the last one's */
  addCall(session: string, call: PastCall): number;
  /**
   * Calls of the session that went on after a time, as the events have them, oldest first; the newest `most` at most. They need not have
   * been noted.
   */
  recorded(session: string, since: number, most: number): readonly PastCall[];
  /** Takes back a call that was noted, since it did not go on after all. */
  retract(session: string, id: string, now: number): number;
  /** Notes that a server is part of the session. */
  addServer(session: string, server: string, now: number): void;
  servers(session: string): readonly string[];
  /** Of the sessions that had any of these servers after a time, the one that was active last. */
  latestOf(servers: readonly string[], since: number): string | undefined;
  /** What was remembered after `n`, oldest first; the newest `most` at most. */
  values(session: string, after: number, most: number): readonly RememberedValues[];
  addValues(session: string, values: Omit<RememberedValues, 'n'>): number;
}

/**
 * Results that have gone on and are not read yet, as all processes of a session know of them, at once and outside of any transaction: a result
 * does not wait for the store. A mark that is long past its time, as that of a process that has died, is none.
 */
export interface ResultMarks {
  /** Adds a mark; another process sees it when this returns. Never throws. @returns takes it away */
  add(session: string): () => void;
  /** The marks that other processes have there. @throws what the operating system reports */
  others(session: string): readonly string[];
}

/** Finds values of results in the arguments of later calls. It knows what this process's servers were told, and what its session remembers. */
export interface Provenance {
  /** Notes what a call said to a server. @param time milliseconds since the epoch */
  noteSaid(server: string, args: JsonObject | undefined, time: number): void;
  /** Reads what is worth remembering of a server's result, besides what it was told before; a few milliseconds' work at each step. */
  read(server: string, texts: readonly string[]): Generator<undefined, ReadValues>;
  /** Adds what the session remembers. */
  add(values: RememberedValues): void;
  /** Forgets all, since another session begins. */
  clear(): void;
  /** Values in a call's arguments that results of other servers had. */
  find(args: JsonObject | undefined, server: string): readonly Evidence[];
}
