import type { Call } from '../core/call.ts';
import type { Decision } from '../core/decision.ts';
import type { CompiledPolicy } from '../core/policy/compile.ts';
import type { PathContext } from '../core/policy/paths.ts';
import type { CensusReport } from './census.ts';

/** One decided call, as the audit gets it. */
export interface CallRecord {
  /** Unique within all records. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly call: Call;
  /** The JSON-RPC id as it was sent, as JSON text; undefined for a notification. */
  readonly requestId: string | undefined;
  readonly decision: Decision;
  /** What happened to the call in the end: a prompt that nobody could answer is `deny` here and `prompt` in `asked`. */
  readonly asked: Approval | undefined;
  /** Why it came out as it did, as a stable code: the decision's, or the approval's where one was needed and not given. */
  readonly reason: string;
  /** Nothing was enforced: the call was forwarded whatever the decision. */
  readonly isObserved: boolean;
  /** Microseconds from the complete line to the verdict. */
  readonly latency: number;
}

/** A message that was refused without being decided: malformed, too long, or not allowed where it came. */
export interface RefusalRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly from: 'client' | 'server';
  /** What was wrong with it. */
  readonly problem: string;
  readonly method: string | undefined;
  /** Its id as JSON text, where it could be read. */
  readonly requestId: string | undefined;
  /** It was forwarded all the same. */
  readonly isObserved: boolean;
}

/** What is left to say when a connection ends. */
export interface SummaryRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly census: CensusReport;
}

/**
 * Where records go. What is recorded between `begin` and `commit` is on record as a whole or not at all; a call that is not is not
 * forwarded.
 */
export interface Sink {
  /** False where another process records just now: ask again a little later. Throws where nothing can be recorded. */
  begin(): boolean;
  /** Each throws where it can't be recorded; nothing since `begin` is then. */
  recordCall(record: CallRecord): void;
  recordRefusal(record: RefusalRecord): void;
  recordSummary(record: SummaryRecord): void;
  /** Throws where it could not be written; nothing since `begin` is then. */
  commit(): void;
  rollback(): void;
  close(): void;
}

/** An event, ready to be stored: what it is searched by, and all of it as JSON text. */
export interface AuditEvent {
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly tool?: string | undefined;
  readonly action?: 'allow' | 'block' | undefined;
  readonly severity?: 'low' | 'medium' | 'high' | 'critical' | undefined;
  readonly body: string;
}

/**
 * Memory that all processes of a user share. What is read and written between `begin` and `commit` is one transaction: others see all
 * of it or nothing, and none of them can come in between. Nothing in it waits.
 */
export interface Store {
  /**
   * Opens a transaction. False where another process has the store just now: ask again a little later.
   *
   * @throws ClawaiError `store_*` where the store can't be used
   */
  begin(): boolean;
  /** Adds an event to this process's chain. */
  append(event: AuditEvent): void;
  /** A value that an earlier transaction wrote under that scope and key and that has not expired at `now`. */
  read(scope: string, key: string, now: number): string | undefined;
  /** @param expires milliseconds since the epoch */
  write(scope: string, key: string, value: string, expires: number): void;
  /** Makes all of it last. @throws ClawaiError where it could not be written; nothing of it was then */
  commit(): void;
  /** Takes all of it back. Never throws. */
  rollback(): void;
  close(): void;
}

/** `withdrawn`: whoever made the call does not want it any more. */
export type Approval = 'granted' | 'refused' | 'unavailable' | 'withdrawn';

/**
 * Asks a person about a call whose decision is `prompt`. Whatever goes wrong is `unavailable`. When `withdrawn` aborts, the question
 * is taken back and the answer is `withdrawn`.
 */
export interface Approver {
  ask(call: Call, decision: Decision, withdrawn: AbortSignal): Promise<Approval>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Microseconds on a clock that never jumps. */
  elapsed(): number;
}

/** Finds the real path of an absolute path: links resolved as far as it exists, the rest appended. Never throws. */
export type RealPath = (absolute: string) => string;

export interface Ports {
  readonly clock: Clock;
  readonly realPath: RealPath;
  readonly approver: Approver;
  readonly sink: Sink;
  /** Makes an id that no other record has, of this process or another. */
  readonly recordId: () => string;
  /** Id of the session, asked for at the first reviewed call and not before. */
  readonly session: () => string;
  /** Tells the person who runs us, in one line; it never reaches a peer. */
  readonly warn: (line: string) => void;
}

/** What stays the same for a connection's whole life. */
export interface GateSetup {
  /** Name of the server in the policy. */
  readonly server: string;
  readonly policy: CompiledPolicy;
  /** How the server sees paths. */
  readonly paths: PathContext;
  /** Decide and record, and let everything pass. */
  readonly isObserving: boolean;
  /** What becomes of an allowed call that can't be recorded. */
  readonly onError: 'deny' | 'allow';
  /** Objects and arrays that may lie inside each other in a message; as many as `JsonScanner` takes where nothing is said. */
  readonly maxDepth?: number;
  readonly ports: Ports;
}
