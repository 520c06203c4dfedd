import type { Category } from './call.ts';
import type { Evidence, Finding, PastCall, ServerChange, Steering } from './finding.ts';

/** A token bucket as it was left. */
export interface Bucket {
  /** From 0 to the limit's `burst`. */
  readonly tokens: number;
  /** Time of that count, in milliseconds since the epoch. */
  readonly time: number;
}

/** `unlisted`: the server was never seen to list it. `new`: it was listed, and nobody has trusted it yet. */
export type PinStatus = 'unlisted' | 'new' | 'pinned' | 'changed';

/** Facts about the tool, resource or prompt that a call is about, and about its server. */
export interface RegistryFacts {
  readonly status: PinStatus;
  /** Fingerprint of the definition that was seen last; undefined for an unlisted one. */
  readonly fingerprint: string | undefined;
  /** JSON text of the definition that was seen last, read on demand; undefined if there is none, or it is not kept. */
  readonly definition: () => string | undefined;
  /** Detection's findings in it; absent if it was not scanned. */
  readonly detection?: DetectionFacts | undefined;
  /** True if the server is started differently than when it was trusted, or has other instructions. */
  readonly isServerChanged: boolean;
  /** The difference; absent if there is none, or it is not known. */
  readonly serverChange?: ServerChange | undefined;
}

/** Detection's facts about the subject of a call. */
export interface DetectionFacts {
  /** Findings in its definition, at or above the policy's threshold, and without suppressed ones. */
  readonly findings: readonly Finding[];
  /** Findings in its server's instructions, unless a person has approved those. */
  readonly ofServer: readonly Finding[];
  /** True if a person has approved the definition as it is. */
  readonly isApproved: boolean;
  /** True if it could not be scanned, and undecidable calls are denied. */
  readonly hasFailed?: boolean;
}

/** Most recent calls of a session that flow rules read. A few older ones of each server are added, whatever the policy. */
export const MOST_CALLS = 1000;

/** Longest window of a policy, in milliseconds. */
export const LONGEST_WINDOW = 60 * 60 * 1000;

/** The facts about a call's session that a decision may use. */
export interface SessionFacts {
  /** Milliseconds since the epoch, and never before the last call, since clocks are set back. */
  readonly now: number;
  /**
   * Oldest first: the newest `MOST_CALLS`, and a few older ones of each server. Denied calls may be among them and count for nothing;
   * retracted ones are not.
   */
  readonly calls: readonly PastCall[];
  /** The model's turn of this call. */
  readonly turn: string | undefined;
  /** Number of servers that declared something in this session, or were called. */
  readonly servers: number;
  /** The server of this session that had a tool of this name first, if it is not the called one. */
  readonly shadowed: string | undefined;
  /** Values of the call's arguments that results of other servers had, computed when a rule asks. */
  readonly evidence: () => readonly Evidence[];
  /** The value by which a result may steer the call, whose tool has these categories; computed when a rule asks. */
  readonly steering?: (categories: readonly Category[]) => Steering | undefined;
  /** Secrets in them that other servers of the session have: in their environment, or in what they answered. */
  readonly secrets?: () => readonly Evidence[];
}
