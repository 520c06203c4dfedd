import type { Evidence, Finding, PastCall, ServerChange } from './finding.ts';

/** A token bucket as it was left. */
export interface Bucket {
  /** From 0 to the limit's `burst`. */
  readonly tokens: number;
  /** When that was so, in milliseconds since the epoch. */
  readonly time: number;
}

/** `unlisted`: the server was never seen to list it. `new`: it was, and nobody has trusted it yet. */
export type PinStatus = 'unlisted' | 'new' | 'pinned' | 'changed';

/** What is known of the tool, resource or prompt that a call is about, and of its server. */
export interface RegistryFacts {
  readonly status: PinStatus;
  /** The definition that was seen last; undefined for what is unlisted. */
  readonly fingerprint: string | undefined;
  /** The definition that was seen last, as JSON text, where it is needed; undefined where there is none, or it is not kept. */
  readonly definition: () => string | undefined;
  /** What detection found in it; absent where it was not looked at. */
  readonly detection?: DetectionFacts | undefined;
  /** The server is started otherwise than it was when it was trusted, or has other instructions. */
  readonly isServerChanged: boolean;
  /** In what; absent where nothing is, or that is not known. */
  readonly serverChange?: ServerChange | undefined;
}

/** What is known of what detection found in what a call is about. */
export interface DetectionFacts {
  /** In its definition, at or above the policy's threshold, and without what the policy suppresses. */
  readonly findings: readonly Finding[];
  /** The same in what its server says of itself, where nobody has approved that. */
  readonly ofServer: readonly Finding[];
  /** A person has approved the definition as it is. */
  readonly isApproved: boolean;
  /** It could not be looked at, and what can't be decided is denied. */
  readonly hasFailed?: boolean;
}

/** Calls that are looked back at, of one session. Of what is older, a few of each server are, whatever a policy says. */
export const MOST_CALLS = 1000;

/** Milliseconds that a policy can have looked back. */
export const LONGEST_WINDOW = 60 * 60 * 1000;

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
