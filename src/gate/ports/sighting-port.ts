import type { Call } from '../../core/call.ts';

/** A call that was seen in a model's answer, as whoever sees it again has to know it. */
export interface Sighting {
  /** Id of its record. */
  readonly record: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The API's id of the call; empty where it has none. */
  readonly toolUseId: string;
  /** The agent never got it. */
  readonly isDenied: boolean;
  /** What a person has said yes to, and how; undefined where nobody had to be asked. */
  readonly granted: Granted | undefined;
}

/** A person's yes, as the answer to a question has it. */
export interface Granted {
  /** What was asked, as `questionIdentity` has it. */
  readonly question: string;
  readonly id: string | undefined;
  readonly by: string | undefined;
  readonly remember: 'once' | 'session' | 'always' | undefined;
}

/** A sighting that is kept, its session, and its place among those of the same call in it. */
export interface KeptSighting extends Sighting {
  readonly session: string;
  readonly n: number;
}

/**
 * Calls of sessions that were seen in models' answers and nowhere else so far. Every method is called between the sink's `begin` and
 * `commit`, and what it does is part of that transaction, so that no sighting is taken twice. Each throws where the store fails.
 *
 * @template Key what stands for a server, a tool and its arguments
 */
export interface SightingsBy<Key> {
  add(session: string, key: Key, sighting: Sighting): void;
  /** Those of one call, oldest first. */
  of(session: string, key: Key): readonly KeptSighting[];
  /** Those of one call that the API's id names, in any session, oldest first. */
  named(key: Key, toolUseId: string): readonly KeptSighting[];
  remove(session: string, key: Key, n: number): void;
}

/** What is the same of a call on both paths. */
export type SightedCall = Pick<Call, 'server' | 'tool' | 'args'>;

export type Sightings = SightingsBy<SightedCall>;

/** The sightings as they are kept: a call is known by a keyed digest, so that what is kept does not tell what short arguments were. */
export interface DigestedSightings extends SightingsBy<string> {
  /** There is none at all, as where no model's answers are seen. */
  readonly isEmpty: boolean;
}

/** A call that is made although it was denied in a model's answer, so that the agent can't have got it from there. */
export interface DeniedCallMadeRecord {
  readonly time: number;
  readonly session: string;
  readonly call: Call;
  /** Id of its own record, and of that of the denial. */
  readonly record: string;
  readonly denied: string;
  /** The API's id of the call, which its client has named. */
  readonly toolUseId: string;
  /** It was let through where it was made. */
  readonly hasGoneOn: boolean;
}
