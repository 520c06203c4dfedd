import type { Call, Category } from '../../core/call.ts';
import type { Evidence, PastCall, Steering } from '../../core/finding.ts';
import type { Words } from '../../core/flow/steering/read-words.ts';
import type { ReadValues } from '../../core/flow/values/result-reader.ts';
import type { JsonObject } from '../../core/json.ts';

export type { ReadValues } from '../../core/flow/values/result-reader.ts';

/** Evidence that links a call by URL to its session: its client's process, the client's other servers, or the URL alone. */
export type SessionBy = 'process' | 'servers' | 'url';

/** A session's log entry, in order: a call, or the retraction of one. */
export type SessionEntry = { readonly n: number } & (
  | { readonly kind: 'call'; readonly call: PastCall }
  | { readonly kind: 'retracted'; readonly id: string }
);

/** The remembered results of one call: keyed hashes of their values. */
export interface RememberedValues {
  /** Position among those of the session, from 1. */
  readonly n: number;
  /** Id of the call, and the server that answered it. */
  readonly source: string;
  readonly server: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Encoded by the code for values. */
  readonly hashes: Uint8Array;
}

/** Version numbers that change when a process's knowledge of the log may be outdated. */
export interface LogVersion {
  /** Changes when other processes have written since the last transaction; this process's own writes do not count. */
  readonly others: number;
  /** Changes when this process's writes, or reads of them, were rolled back. */
  readonly lost: number;
}

/**
 * The shared knowledge of all processes of one session. Every method is called between the sink's `begin` and `commit`, and is part of that
 * transaction. Each throws if the store fails.
 */
export interface SessionLog {
  version(): LogVersion;
  /**
   * The session that goes on under a name. After `idle` milliseconds without a call it is over, and another begins, with the name and a
   * number, `s-1`, then `s-1.2`, the same servers, and the entries that the longest window covers.
   */
  current(name: string, times: { readonly now: number; readonly idle: number }): string;
  /** The entries after `n`, oldest first; only the newest `most`. */
  entries(session: string, after: number, most: number): readonly SessionEntry[];
  /** Notes a call; one that did not go on counts for nothing, and need not be kept. @returns its position, or the last one's */
  addCall(session: string, call: PastCall): number;
  /**
   * Calls of the session that went on after a time, from the events, oldest first; only the newest `most`. They need not have been noted.
   */
  recorded(session: string, since: number, most: number): readonly PastCall[];
  /** Takes back a noted call, since it did not go on after all. */
  retract(session: string, id: string, now: number): number;
  /** Notes that a server is part of the session. */
  addServer(session: string, server: string, now: number): void;
  servers(session: string): readonly string[];
  /** The most recently active session with any of these servers after a time. */
  latestOf(servers: readonly string[], since: number): string | undefined;
  /** The values remembered after `n`, oldest first; only the newest `most`. */
  values(session: string, after: number, most: number): readonly RememberedValues[];
  addValues(session: string, values: Omit<RememberedValues, 'n'>): number;
}

/**
 * Marks of results that have gone on and are not read yet, seen by all processes of a session at once and outside of any transaction: a
 * result does not wait for the store. A mark long past its time, as that of a process that has died, does not count.
 */
export interface ResultMarks {
  /** Adds a mark; another process sees it when this returns. Never throws. @returns removes it */
  add(session: string): () => void;
  /** The marks of other processes. @throws the operating system's errors */
  others(session: string): readonly string[];
}

/** The circumstances of words in a request to a model. */
export interface WordsContext {
  /** The time of the request, in milliseconds since the epoch. */
  readonly time: number;
  /** Texts of servers about themselves and their tools, which clients repeat as words of the system. */
  readonly declared: readonly string[];
}

/**
 * Finds values of results in the arguments of later calls. It knows the arguments that this process's servers received, and the values that
 * its session remembers.
 */
export interface Provenance {
  /** Notes the arguments of a call to a server. @param time milliseconds since the epoch */
  noteSent(server: string, args: JsonObject | undefined, time: number): void;
  /**
   * Reads the values of a server's result that are worth remembering and that it was not told before; each step is a few milliseconds'
   * work.
   */
  read(server: string, texts: readonly string[]): Generator<undefined, ReadValues>;
  /** Adds values that the session remembers. */
  add(values: RememberedValues): void;
  /** Forgets all, since another session begins. */
  clear(): void;
  /** The values by which secrets are recognised later. */
  readSecrets(secrets: readonly string[]): Uint8Array;
  /** Secrets of other servers in a call's arguments. */
  findSecrets(args: JsonObject | undefined, server: string): readonly Evidence[];
  /** Notes what an agent says in a call: what it said first does not come from a result. @param time milliseconds since the epoch */
  noteSaid(args: JsonObject | undefined, time: number): void;
  /**
   * Reads what a result tells a reader to do, and with what; each step is a few milliseconds' work.
   *
   * @param tools names of the agent's tools
   */
  readTold(texts: readonly string[], tools: readonly string[]): Generator<undefined, Uint8Array>;
  /** The values of a text that the user said, or that counts as if. */
  readSaid(text: string): Uint8Array;
  /** The values of what the user and the system say in requests to a model, without those that came from results. */
  readWords(texts: readonly Words[], context: WordsContext): Generator<undefined, Uint8Array>;
  /** The values of a call's arguments that a person has allowed for its tool. */
  readAllowed(call: Call): Uint8Array;
  /** The value in a call's arguments by which a result may steer it. @param knowsAddress tells of an address that it counts as said */
  findSteering(call: Call, categories: readonly Category[], knowsAddress?: (address: string) => boolean): Steering | undefined;
  /** Values in a call's arguments that results of other servers had. */
  find(args: JsonObject | undefined, server: string): readonly Evidence[];
}
