import type { CompiledPolicy } from '../../core/match/compile.ts';
import type { PathContext } from '../../core/match/paths-to-resolve.ts';
import type { PolicyChange } from '../../core/policy/types.ts';
import type { Bucket } from '../../core/facts.ts';
import type { OwnPaths } from '../../core/self/own-paths.ts';
import type { LoadDetector } from '../detection/detector-source.ts';
import type { SessionMemories } from '../session/session-memory.ts';
import type { Approver } from './approval-port.ts';
import type { AuditRecord } from './records.ts';
import type { LaunchIdentity, Registry } from './registry-port.ts';
import type { SessionBy, SessionLog } from './session-port.ts';
import type { Sightings } from './sighting-port.ts';

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

/**
 * Where records go. What is recorded between `begin` and `commit` is on record as a whole or not at all; a call that is not is not
 * forwarded.
 */
export interface Sink {
  /** Makes ready what `begin` needs, by the way. Never throws. */
  warm(): void;
  /** False where another process records just now: ask again a little later. Throws where nothing can be recorded. */
  begin(): boolean;
  /** Throws where it can't be recorded; nothing since `begin` is then. */
  record(record: AuditRecord): void;
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

/** What is kept besides records, for all processes of a user; part of the sink's transactions. */
export interface Stores {
  /** What servers declare. */
  readonly registry: Registry;
  /** What a session's processes know of it, and what they share beyond it. */
  readonly sessionLog: SessionLog;
  readonly buckets: Buckets;
  /** Calls that were seen in models' answers. */
  readonly sightings: Sightings;
}

export interface Ports extends Omit<Stores, 'sightings'> {
  readonly clock: Clock;
  readonly realPath: RealPath;
  readonly approver: Approver;
  readonly sink: Sink;
  /** What this process knows of the sessions that its connections are part of; asked for in the sink's transactions. */
  readonly memories: () => SessionMemories;
  /** Asked for in the sink's transactions. Undefined where no calls can have been seen in models' answers. */
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
