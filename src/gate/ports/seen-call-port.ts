import type { Call } from '../../core/call.ts';

/** A call that was seen in a model's answer, with the facts for recognising it. */
export interface SeenCall {
  /** Id of its record. */
  readonly record: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The API's id of the call; empty without one. */
  readonly toolUseId: string;
  /** True if the agent never got it. */
  readonly isDenied: boolean;
  /** The question that a person said yes to, and how; undefined if nobody had to be asked. */
  readonly granted: Granted | undefined;
}

/** A person's yes, as the answer to a question has it. */
export interface Granted {
  /** The question, as `questionIdentity` makes it. */
  readonly question: string;
  readonly id: string | undefined;
  readonly by: string | undefined;
  readonly remember: 'once' | 'session' | 'always' | undefined;
}

/** A kept seen call, its session, and its position among those of the same call in it. */
export interface StoredCall extends SeenCall {
  readonly session: string;
  readonly n: number;
}

/**
 * Calls of sessions that were seen in models' answers and nowhere else so far. Every method is called between the sink's `begin` and
 * `commit`, and is part of that transaction, so that no seen call is taken twice. Each throws if the store fails.
 *
 * @template Key stands for a server, a tool and its arguments
 */
export interface SeenCallsBy<Key> {
  add(session: string, key: Key, seenCall: SeenCall): void;
  /** The seen calls of one call, oldest first. */
  of(session: string, key: Key): readonly StoredCall[];
  /** The seen calls of one call with this API id, in any session, oldest first. */
  named(key: Key, toolUseId: string): readonly StoredCall[];
  remove(session: string, key: Key, n: number): void;
}

/** The parts of a call that are the same on both paths. */
export type LinkedCall = Pick<Call, 'server' | 'tool' | 'args'>;

export type SeenCalls = SeenCallsBy<LinkedCall>;

/** The seen calls as they are kept: a call is known by a keyed digest, so that nobody can guess short arguments from it. */
export interface DigestedCalls extends SeenCallsBy<string> {
  /** True if there is none at all, as when no model's answers are seen. */
  readonly isEmpty: boolean;
}

/** A call that is made although it was denied in a model's answer, so the agent can't have got it from there. */
export interface DeniedCallMadeRecord {
  readonly time: number;
  readonly session: string;
  readonly call: Call;
  /** Ids of its own record and of the denial's. */
  readonly record: string;
  readonly denied: string;
  /** The API's id of the call, as its client gave it. */
  readonly toolUseId: string;
  /** True if it was let through when it was made. */
  readonly hasGoneOn: boolean;
}
