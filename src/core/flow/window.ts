import type { Category } from '../registry/category.ts';

/** Calls that are looked back at, of one session. Of what is older, a few of each server are, whatever a policy says. */
export const MOST_CALLS = 1000;

/** Milliseconds that a policy can have looked back. */
export const LONGEST_WINDOW = 60 * 60 * 1000;

/** A call of a session that may matter to a later one. */
export interface PastCall {
  /** Of its record. */
  readonly id: string;
  /** Milliseconds since the epoch: when it was made, or when its answer came where that took long, since it gave nothing before. */
  readonly time: number;
  /** When it was made, where `time` says when it was answered. */
  readonly made?: number | undefined;
  readonly server: string;
  readonly method: string;
  /** The tool, resource or prompt; empty where it has none, and cut where it is long. */
  readonly subject: string;
  /** At least one. */
  readonly categories: readonly Category[];
  /** The answer of the model that it came from, where that is known. What is unknown is never the same. */
  readonly turn: string | undefined;
  /** It went on to the server. What did not gave nothing, and costs nobody anything. */
  readonly isForwarded: boolean;
}

/** A value in the arguments of a call that a result of another server had. */
export interface Evidence {
  /** Id of the call whose result had it. */
  readonly source: string;
  /** How it was written in the arguments, e.g. `plain`, `base64`; from the outside in. */
  readonly encoding: string;
  /** What of it may be shown: its kind and length, never the value. */
  readonly description: string;
}

/** What a decision may know of the session that a call is part of. */
export interface SessionFacts {
  /** Milliseconds since the epoch, and never before the last call: clocks are set back. */
  readonly now: number;
  /** Oldest first: the newest `MOST_CALLS`, and a few older ones of each server. Those that were denied may be among them and count for nothing; those taken back are not. */
  readonly calls: readonly PastCall[];
  /** Of this call. */
  readonly turn: string | undefined;
  /** How many servers have declared something in this session, or were called. */
  readonly servers: number;
  /** The server of this session that had a tool of this name first, where that is another one than is called. */
  readonly shadowed: string | undefined;
  /** Values of the call's arguments that results of other servers had, worked out when a rule asks. */
  readonly evidence: () => readonly Evidence[];
}
