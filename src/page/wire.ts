/*
 * The messages between `clawai dashboard` and its page. All texts are for people: what can't be seen in them has become its number
 * (`\u{202E}`), so that the page shows them as they are. Times are milliseconds since the epoch.
 */

/** An event. Empty texts are left out. */
export interface WireEvent {
  readonly seq: number;
  readonly time: number;
  readonly type: string;
  readonly session: string;
  readonly server: string;
  readonly subject?: string;
  /** Id of the call, short. */
  readonly id?: string;
  readonly args?: string;
  readonly action?: string;
  readonly severity?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly seen?: string;
  readonly latency?: string;
  readonly detail?: string;
}

/** A call that waits for a person. */
export interface WireQuestion {
  readonly id: string;
  readonly session: string;
  readonly server: string;
  readonly subject: string;
  readonly rule?: string;
  readonly why?: string;
  /** All there is to know about it, in lines. */
  readonly details: readonly string[];
  readonly canRemember: boolean;
  /** The policy is the user's own, so that a rule can be written into it. */
  readonly canAlways: boolean;
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** The events of the feed, by name. */
export interface FeedMessages {
  /** The newest events, which take the place of all that the page has. */
  readonly start: readonly WireEvent[];
  /** Events that came since; older ones were left out if `isCut`. */
  readonly more: { readonly events: readonly WireEvent[]; readonly isCut: boolean };
  readonly questions: { readonly questions: readonly WireQuestion[]; readonly now: number };
}

export interface EventPage {
  readonly events: readonly WireEvent[];
  /** True if there may be older ones. */
  readonly hasMore: boolean;
}

/** The event as it is on record, in lines. */
export interface EventDetails {
  readonly lines: readonly string[];
}

export interface AnswerResult {
  readonly isTaken: boolean;
  readonly text: string;
}

/** Changes of the policy that a person has to see first: the one that allows exactly this call, then wider ones. */
export interface AlwaysResult {
  readonly choices: readonly WireChoice[];
}

export interface WireChoice {
  /** The calls that it allows. */
  readonly words: string;
  readonly diff: readonly string[];
  /** Names the change in the request that makes it. */
  readonly change: string;
}

export interface ServersResult {
  readonly entries: readonly WireEntry[];
  readonly leftOff: number;
}

/** A definition, or the way in which a server is started. */
export interface WireEntry {
  readonly server: string;
  readonly kind: string;
  readonly name: string;
  readonly label: string;
  readonly status: 'pinned' | 'changed' | 'new';
  readonly isListed: boolean;
  readonly firstSeen: number;
  readonly changedAt: number;
  readonly approvedBy?: string;
  readonly findings: readonly WireFinding[];
  readonly changes: readonly WireChange[];
  /** The command that trusts it. */
  readonly command: string;
  /** Names it in a request for its text. */
  readonly key: number;
}

export interface WireFinding {
  readonly severity: string;
  readonly rule: string;
  readonly field: string;
  readonly description: string;
  readonly text: string;
}

export interface WireChange {
  readonly field: string;
  readonly previous?: string;
  readonly next?: string;
}

export interface SessionsResult {
  readonly sessions: readonly WireSession[];
}

export interface WireSession {
  readonly session: string;
  /** Names it in requests: its name as it is on record. */
  readonly key: string;
  readonly first: number;
  readonly last: number;
  readonly calls: number;
  readonly denied: number;
  readonly servers: number;
}

export interface SessionResult {
  /** The newest calls, oldest first. */
  readonly calls: readonly WireEvent[];
  readonly hasMore: boolean;
  readonly flows: readonly WireFlow[];
  /** As `clawai report` prints it. */
  readonly report: readonly string[];
}

/** A way that a value took, or was to take, into a call. Ids are those of the calls' events. */
export interface WireFlow {
  /** The calls whose result had the value, or may have. */
  readonly from: readonly string[];
  readonly to: string;
  readonly outcome: string;
  readonly isStopped: boolean;
  /** The value and the result that had it; empty if it is about no value. */
  readonly source: string;
  /** The call that the value is in. */
  readonly sink: string;
  /** The rule that found it, and what speaks for it. */
  readonly why: string;
}

export interface PolicyResult {
  readonly file: string;
  readonly project?: string;
  readonly note?: string;
  readonly fallback: string;
  readonly rules: readonly WireRule[];
  /** Calls without a rule under the policies on record, and rules that the policy does not have any more. */
  readonly others: readonly { readonly rule: string; readonly calls: number; readonly last: number }[];
}

export interface WireRule {
  readonly name: string;
  readonly source: 'user' | 'project';
  readonly action: string;
  readonly description?: string;
  /** From 1. */
  readonly line: number;
  readonly text: readonly string[];
  /** Calls that it decided under the policy as it is now, and under any. */
  readonly calls: number;
  readonly callsEver: number;
  readonly last?: number;
}

export interface ExplainResult {
  readonly action: string;
  readonly lines: readonly string[];
}

export interface ClientsResult {
  readonly isObserving: boolean;
  readonly problem?: string;
  readonly serve: string;
  readonly files: readonly WireFile[];
  readonly hooks: readonly WireFile[];
}

export interface WireFile {
  readonly file: string;
  readonly clients: string;
  readonly problem?: string;
  readonly servers: readonly WireServer[];
}

export interface WireServer {
  readonly server: string;
  readonly word: string;
  readonly tone: 'good' | 'bad' | 'attention' | 'plain';
  readonly text: string;
}

export interface RatesResult {
  /** Minutes since the epoch; each server has the counts of this one and the 59 before it. */
  readonly minute: number;
  readonly servers: readonly {
    readonly server: string;
    readonly allowed: readonly number[];
    readonly denied: readonly number[];
  }[];
}

export interface Problem {
  readonly problem: string;
}
