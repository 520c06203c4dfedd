import type { Call, Category } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import type { FlowAction, FlowFinding } from '../../core/finding.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import type { PathContext } from '../../core/match/paths-to-resolve.ts';
import type { PolicyChange } from '../../core/policy/types.ts';
import type { Bucket } from '../../core/facts.ts';
import type { OwnPaths } from '../../core/self/own-paths.ts';
import type { CensusReport } from '../census.ts';
import type { LoadDetector } from '../detection/detector-source.ts';
import type { SessionMemories } from '../session/session-memory.ts';
import type { Answer, Approval, Approver } from './approval-port.ts';
import type { BodyRecord, ConnectionRecord, DetectionRecord, ModelRequestsRecord, OfferedDiffersRecord } from './records.ts';
import type { ChangedRecord, LaunchIdentity, Registry, SeenRecord, ServerChangedRecord } from './registry-port.ts';
import type { SessionBy, SessionLog } from './session-port.ts';
import type { DeniedCallMadeRecord, Sightings } from './sighting-port.ts';

/** Something that is to be looked at when there is time. */
export interface Look {
  readonly server: string;
  /** What it keeps in memory. */
  readonly bytes: number;
  /** However much of it waits, it waits its time: the list that comes next would be held up. */
  readonly isPatient?: boolean;
  /** Looks at it. Never rejects. */
  readonly look: () => Promise<void>;
}

/** Whoever works for long asks for this in between. */
export interface TurnTaking {
  letOthers(): Promise<void>;
}

/** Where what has gone on waits to be looked at. */
export interface Looks {
  /** To be asked for wherever looking at one thing takes long. */
  readonly turns: TurnTaking;
  /** May so many bytes of a server wait? Where not, they are not looked at. */
  hasRoom(server: string, bytes: number): boolean;
  /** To be called where there is room. */
  add(look: Look): void;
  /** Goes on without a pause until nothing waits. */
  hurry(): void;
}

/** What decides: one policy after the other, as its files change. */
export interface PolicySource {
  /**
   * Looks, now and then, whether another policy decides now. False while that is not known: nothing may be decided then, ask again a few
   * milliseconds later. Cheap enough for every message, and never throws.
   */
  refresh(): boolean;
  /** The policy that decides, as of the last `refresh`; the same value until it changes. */
  current(): CompiledPolicy;
  /** What has changed since this was last asked. */
  takeChanges(): readonly PolicyChange[];
}

/** What is known of a call that was seen in a model's answer. */
export interface Intercepted {
  /** Of the API, e.g. `anthropic`. */
  readonly dialect: string;
  /** Of the request to the API that it is part of the answer to. */
  readonly request: string;
  /** The API's id of the call. */
  readonly id: string;
  /** The tool's name as the model said it. */
  readonly name: string;
  /** `provider`: it has been run by the time it is seen, and comes to no server of the agent's. */
  readonly runBy: 'client' | 'provider';
  /** How the server is reached, as far as it is known: `stdio`, `http`, and host and port. */
  readonly serverType: string | undefined;
  readonly serverAddress: string | undefined;
  /** Fingerprint of the tool's definition as it was seen last; undefined where none was. */
  readonly fingerprint: string | undefined;
  /** Why its arguments could not be relied on, if so. */
  readonly problem: string | undefined;
}

/** One decided call, as the audit gets it. */
export interface CallRecord {
  /** Unique within all records. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly sessionBy?: SessionBy | undefined;
  readonly call: Call;
  /** The JSON-RPC id as it was sent, as JSON text; undefined for a notification. */
  readonly requestId: string | undefined;
  /** Set where it was seen in a model's answer. */
  readonly intercepted?: Intercepted | undefined;
  readonly decision: Decision;
  /** What came of asking a person; undefined where nobody had to be asked. */
  readonly asked: Approval | undefined;
  /** Id of the record of the same call where it was seen in a model's answer; undefined where that is not known of any. */
  readonly sightingOf?: string | undefined;
  /** The question that was asked, and who gave which answer, as far as there was any. */
  readonly answer?: Omit<Answer, 'approval'> | undefined;
  /** Why it came out as it did, as a stable code: the decision's, or the approval's where one was needed and not given; and the model's words for it. */
  readonly reason: string;
  readonly told?: string | undefined;
  /** Nothing was enforced: the call was forwarded whatever the decision. */
  readonly isObserved: boolean;
  /** What looked at it: `policy`, `flow` where the session was looked at, `detection` where the definition was. */
  readonly inspectors: readonly string[];
  /** What kind of call it is; undefined where nobody asked. */
  readonly categories?: readonly Category[] | undefined;
  /** The answer of the model that it came from, where that is known. */
  readonly turn?: string | undefined;
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

/** A policy that changed while the connection was there. */
export interface PolicyRecord extends PolicyChange {
  readonly time: number;
  readonly session: string;
  readonly server: string;
}

/** What a flow rule found in a call. */
export interface FlowRecord {
  readonly time: number;
  readonly session: string;
  readonly call: Call;
  /** Id of the call's own record. */
  readonly record: string;
  readonly finding: FlowFinding;
  /** What became of the call because of it. */
  readonly action: FlowAction;
}

/** What is left to say when a connection ends. */
export interface SummaryRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly census: CensusReport;
}

/** A client has sent the result of a model's call that was denied. */
export interface DeniedResultRecord {
  readonly time: number;
  readonly session: string;
  /** Of the call, as it was denied. */
  readonly server: string;
  readonly tool: string;
  readonly intercepted: Intercepted;
  /** Of our own making: the request that has the result. */
  readonly request: string;
}

/**
 * Where records go. What is recorded between `begin` and `commit` is on record as a whole or not at all; a call that is not is not
 * forwarded.
 */
export interface Sink {
  /** Makes ready what `begin` needs, by the way. Never throws. */
  warm(): void;
  /** False where another process records just now: ask again a little later. Throws where nothing can be recorded. */
  begin(): boolean;
  /** Each throws where it can't be recorded; nothing since `begin` is then. */
  recordCall(record: CallRecord): void;
  recordRefusal(record: RefusalRecord): void;
  recordSummary(record: SummaryRecord): void;
  recordPolicy(record: PolicyRecord): void;
  recordSeen(record: SeenRecord): void;
  recordChanged(record: ChangedRecord): void;
  recordServerChanged(record: ServerChangedRecord): void;
  recordFlow(record: FlowRecord): void;
  recordConnection(record: ConnectionRecord): void;
  recordDeniedResult(record: DeniedResultRecord): void;
  recordDeniedCallMade(record: DeniedCallMadeRecord): void;
  recordBody(record: BodyRecord): void;
  recordModelRequests(record: ModelRequestsRecord): void;
  recordOfferedDiffers(record: OfferedDiffersRecord): void;
  recordDetection(record: DetectionRecord): void;
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
  readonly action?: 'allow' | 'block' | 'alert' | 'hide' | 'redact' | 'prompt' | undefined;
  readonly severity?: 'low' | 'medium' | 'high' | 'critical' | undefined;
  /** It keeps what may have to go before its place in the chain does. */
  readonly isBody?: boolean;
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
  /** Since `tellReplaced`, it has become another one than was written before: its file was deleted, or replaced. */
  readonly isReplaced: boolean;
  tellReplaced(): void;
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

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Microseconds on a clock that never jumps. */
  elapsed(): number;
}

/** Token buckets that all processes of a user share; part of the sink's transactions. Each throws where the store fails. */
export interface Buckets {
  /** Undefined for one that is full. */
  read(key: string, now: number): Bucket | undefined;
  /** @param full when it will be full again, in milliseconds since the epoch */
  write(key: string, bucket: Bucket, full: number): void;
}

/** Finds the real path of an absolute path: links resolved as far as it exists, the rest appended. Never throws. */
export type RealPath = (absolute: string) => string;

export interface Ports {
  readonly clock: Clock;
  readonly realPath: RealPath;
  readonly approver: Approver;
  readonly sink: Sink;
  /** What servers declare; part of the sink's transactions. */
  readonly registry: Registry;
  /** What a session's processes know of it, and what they share beyond it; part of the sink's transactions too. */
  readonly sessionLog: SessionLog;
  readonly buckets: Buckets;
  /** What this process knows of the sessions that its connections are part of; asked for in the sink's transactions. */
  readonly memories: () => SessionMemories;
  /** Calls that were seen in models' answers; part of the sink's transactions too, and asked for in them. Undefined where none can have been. */
  readonly sightings?: () => Sightings | undefined;
  /** Makes what looks at texts; the real one where nothing is said. */
  readonly loadDetector?: LoadDetector;
  /** Where what has gone on waits to be looked at; where nothing is said, this connection is the only one of its process. */
  readonly lookQueue?: Looks;
  /** Makes an id that no other record has, of this process or another. */
  readonly recordId: () => string;
  /** The session, asked for at the first reviewed call and not before. */
  readonly session: () => string;
  /** Goes on with the session that `find` gives for a name, or for what has any of the servers. @returns one that goes on as this one from now on */
  readonly followSession: (find: (name: string, servers?: readonly string[]) => string) => string | undefined;
  /** How it is known whose session it is, where that may be asked; asked for with each record of a call. */
  readonly sessionBy?: () => SessionBy;
  /** Tells the person who runs us, in one line; it never reaches a peer. */
  readonly warn: (line: string) => void;
}

/** What stays the same for a connection's whole life. */
export interface GateSetup {
  /** Name of the server in the policy. */
  readonly server: string;
  /** How it is started or reached; asked for once something is recorded. */
  readonly identity: () => LaunchIdentity;
  readonly policy: PolicySource;
  /** How the server sees paths. */
  readonly paths: PathContext;
  /** What makes up clawai on this machine just now; asked for at each decision. */
  readonly own: () => OwnPaths;
  /** Decide and record, and let everything pass. */
  readonly isObserving: boolean;
  /** What becomes of an allowed call that can't be recorded. */
  readonly onError: 'deny' | 'allow';
  /** Objects and arrays that may lie inside each other in a message; as many as `JsonScanner` takes where nothing is said. */
  readonly maxDepth?: number;
  readonly ports: Ports;
}
