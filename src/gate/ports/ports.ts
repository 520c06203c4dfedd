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
import type { SeenCalls } from './seen-call-port.ts';

/**
 * When something is scanned. `held`: at once, since a message waits for it. `soon`: after what is sent first; calls may depend on it. `later`:
 * together with others, and sooner if there are many. `last`: the same, however many there are.
 */
export type ScanTime = 'held' | 'soon' | 'later' | 'last';

/** Something to scan. */
export interface ScanJob<T = unknown> {
  readonly server: string;
  /** Bytes that it keeps in memory. */
  readonly bytes: number;
  readonly when: ScanTime;
  /** Scans it in steps, with turns for others in between. */
  readonly scan: (turns: TurnTaking) => Promise<T>;
}

/** Gives others their turn; long work calls it in between. */
export interface TurnTaking {
  letOthers(): Promise<void>;
}

/** The queue of all that is scanned. */
export interface ScanJobQueue {
  /** Tells whether so many bytes of a server may wait, unless something is held for them; if not, they are not scanned. */
  hasRoom(server: string, bytes: number): boolean;
  /** Gives the scan's result once it was made. */
  add<T>(job: ScanJob<T>): Promise<T>;
  /** Works without a pause until nothing waits. */
  hurry(): void;
}

/** The policy that decides, replaced as its files change. */
export interface PolicySource {
  /**
   * Checks from time to time whether another policy decides now. False while that is unknown: nothing may be decided then; ask again a few
   * milliseconds later. Cheap enough for every message, and never throws.
   */
  refresh(): boolean;
  /** The policy that decides, as of the last `refresh`; the same value until it changes. */
  current(): CompiledPolicy;
  /** The changes since the last call. */
  takeChanges(): readonly PolicyChange[];
}

/** Takes records. Those between `begin` and `commit` are recorded as a whole or not at all; a call without its record is not forwarded. */
export interface Sink {
  /** Prepares what `begin` needs, in the background. Never throws. */
  warm(): void;
  /** False if another process records just now: ask again a little later. Throws if nothing can be recorded. */
  begin(): boolean;
  /** Throws if it can't be recorded; nothing since `begin` is then. */
  record(record: AuditRecord): void;
  /** Throws if it could not be written; nothing since `begin` is then. */
  commit(): void;
  rollback(): void;
  close(): void;
}

/** An event, ready to be stored: its searchable fields, and all of it as JSON text. */
export interface AuditEvent {
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly tool?: string | undefined;
  readonly action?: 'allow' | 'block' | 'alert' | 'hide' | 'redact' | 'prompt' | undefined;
  readonly severity?: 'low' | 'medium' | 'high' | 'critical' | undefined;
  /** True if it keeps text that may have to be deleted before its place in the chain is. */
  readonly isBody?: boolean;
  readonly body: string;
}

/**
 * Memory that all processes of a user share. Everything read and written between `begin` and `commit` is one transaction: others see all of
 * it or nothing, and none can interrupt it. Nothing in it waits.
 */
export interface Store {
  /**
   * Opens a transaction. False if another process has locked the store just now: ask again a little later.
   *
   * @throws ClawaiError `store_*` if the store can't be used
   */
  begin(): boolean;
  /** True if its file was deleted or replaced since `tellReplaced`. */
  readonly isReplaced: boolean;
  tellReplaced(): void;
  /** Adds an event to this process's chain. */
  append(event: AuditEvent): void;
  /** A value that an earlier transaction wrote under that scope and key and that has not expired at `now`. */
  read(scope: string, key: string, now: number): string | undefined;
  /** @param expires milliseconds since the epoch */
  write(scope: string, key: string, value: string, expires: number): void;
  /** Makes all of it durable. @throws ClawaiError if it could not be written; nothing of it was then */
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

/** Token buckets that all processes of a user share; part of the sink's transactions. Each method throws if the store fails. */
export interface Buckets {
  /** Undefined for a full one. */
  read(key: string, now: number): Bucket | undefined;
  /** @param full time when it will be full again, in milliseconds since the epoch */
  write(key: string, bucket: Bucket, full: number): void;
}

/**
 * Finds the real path of an absolute path: links resolved as far as it exists, the rest appended. Never throws. `known` keeps what it finds
 * on the way, for others of the same moment.
 */
export type RealPath = (absolute: string, known: Map<string, Place>) => string;

/** The real path of a path, and whether nothing is there. */
export interface Place {
  readonly real: string;
  readonly isMissing: boolean;
}

/** Data kept besides records, for all processes of a user; part of the sink's transactions. */
export interface Stores {
  /** The servers' declarations. */
  readonly registry: Registry;
  /** Facts that a session's processes share. */
  readonly sessionLog: SessionLog;
  readonly buckets: Buckets;
  /** Calls that were seen in models' answers. */
  readonly seenCalls: SeenCalls;
}

export interface Ports extends Omit<Stores, 'seenCalls'> {
  readonly clock: Clock;
  readonly realPath: RealPath;
  readonly approver: Approver;
  readonly sink: Sink;
  /** This process's memories of its connections' sessions; used in the sink's transactions. */
  readonly memories: () => SessionMemories;
  /** Used in the sink's transactions. Undefined if no calls can have been seen in models' answers. */
  readonly seenCalls?: () => SeenCalls | undefined;
  /** Creates the detector; the real one by default. */
  readonly loadDetector?: LoadDetector;
  /** Queue of messages that have gone on and wait to be scanned; by default, each connection has its own. */
  readonly scanQueue?: ScanJobQueue;
  /** Makes an id that no other record has, of this process or another. */
  readonly recordId: () => string;
  /** The session, asked for at the first reviewed call and not before. */
  readonly session: () => string;
  /**
   * Goes on with the session that `find` gives for a name, or for a session with any of the servers. @returns a session that goes on as
   * this one from now on
   */
  readonly followSession: (find: (name: string, servers?: readonly string[]) => string) => string | undefined;
  /** The evidence for whose session it is, if that may be asked; read with each record of a call. */
  readonly sessionBy?: () => SessionBy;
  /** Tells the person who runs us, in one line; it never reaches a peer. */
  readonly warn: (line: string) => void;
}

/** Setup that stays the same for a connection's whole life. */
export interface GateSetup {
  /** Name of the server in the policy. */
  readonly server: string;
  /** The server's launch or address; read once something is recorded. */
  readonly identity: () => LaunchIdentity;
  readonly policy: PolicySource;
  /** The server's view of paths. */
  readonly paths: PathContext;
  /** The files of clawai itself on this machine; read at each decision. */
  readonly own: () => OwnPaths;
  /** The secrets that the server was given, such as in its environment: no others should get them. Absent if unknown. */
  readonly ownSecrets?: () => readonly string[];
  /** True if everything is decided and recorded, but passes. */
  readonly isObserving: boolean;
  /** The action on an allowed call that can't be recorded. */
  readonly onError: 'deny' | 'allow';
  /** Deepest nesting of objects and arrays in a message; the default is that of `JsonScanner`. */
  readonly maxDepth?: number;
  readonly ports: Ports;
}
