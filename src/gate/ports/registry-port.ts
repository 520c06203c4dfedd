import type { Detection, ScanResult } from '../../core/detect/types.ts';
import type {
  Definition,
  DefinitionKind,
  FieldChange,
  PinRecord,
  PinWrite,
  SightStatus,
} from '../../core/registry/definition.ts';

/**
 * The key of a server's pins: its name, if all launches that were trusted together share them, or one launch of that name. Two projects may
 * have a server of one name and start it differently, and each is trusted by itself.
 */
export type PinScope = string | OwnLaunch;

/** A launch that has pins of its own. */
export interface OwnLaunch {
  readonly server: string;
  /** Fingerprint of its launch identity. */
  readonly launch: string;
}

/** Facts about one launch of a server. */
export interface LaunchRecord {
  /** The scope of its pins, which never changes. */
  readonly scope: PinScope;
  /** True if a person trusts it, or it was the first. */
  readonly isTrusted: boolean;
  /** True if no launch of the server's name is trusted so far. */
  readonly isFirst: boolean;
}

/** The user of a server, for people who ask when it was last used. */
export interface LaunchUse {
  /** The client's name as it gives it; empty if it gave none. */
  readonly client: string;
  /** The folder that it was started in; empty for a remote server. */
  readonly folder: string;
}

/** Facts about a server's launches in one scope. */
export interface ServerRecord {
  /** Fingerprint of the trusted launch identity; with several, of the one seen last; undefined if none is yet. */
  readonly pinned: string | undefined;
  /** Fingerprint of the launch that was seen last. */
  readonly seen: string;
}

/** The launch or address of a server. */
export interface LaunchIdentity {
  readonly type: 'stdio' | 'http';
  /** Canonical JSON: `{"args":[…],"command":"…"}` or `{"url":"…"}`. Without secrets. */
  readonly text: string;
  /** `sha256:` and 64 hex digits, of all of it. */
  readonly fingerprint: string;
}

/** A definition of another server. */
export interface Owner {
  readonly server: string;
  readonly name: string;
}

/**
 * The servers' declarations, and which of them are trusted; shared by all processes of a user. Every method is called between the sink's
 * `begin` and `commit`, and is part of that transaction. Each throws if the store fails.
 */
export interface Registry {
  /** The open database: another object once the store was reopened, as after its file was deleted or replaced. */
  readonly database: object;
  /** @param identity fingerprint of a launch identity */
  launch(server: string, identity: string): LaunchRecord;
  /** Undefined if nothing was seen in that scope. */
  server(scope: PinScope): ServerRecord | undefined;
  /**
   * Notes the server's current launch. The lists of a refused launch are compared with the trusted ones, so that a person sees the
   * differences. @param isPinned it is trusted from now on, besides those that are already
   */
  writeServer(scope: PinScope, identity: LaunchIdentity, options: { readonly isPinned: boolean; readonly now: number }): void;
  /** Text of a launch identity: the trusted one, or the one seen last. */
  serverText(scope: PinScope, which: 'pinned' | 'seen'): string | undefined;
  /** The trusted launch identities of a server's name whose texts are kept. */
  trustedLaunches(server: string): readonly Omit<LaunchIdentity, 'type'>[];
  /** Notes that the server was used just now. */
  noteUse(scope: PinScope, use: LaunchUse, now: number): void;
  /** The scope that knows a tool, for callers that do not know how its server was started. */
  scopeOf(server: string, tool: string): PinScope;
  /** The pin of one definition; read for every call. */
  pin(scope: PinScope, kind: DefinitionKind, name: string): PinRecord | undefined;
  /** All pins of a kind, by name. */
  pins(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, PinRecord>;
  /** Canonical JSON of a definition: the trusted one, or the one seen last. */
  text(scope: PinScope, kind: DefinitionKind, name: string, which: 'pinned' | 'seen'): string | undefined;
  write(scope: PinScope, writes: readonly PinWrite[], now: number): void;
  /** The noted digest of a list's page, by the cursor that it was asked for with. */
  page(scope: PinScope, kind: DefinitionKind, cursor: string): string | undefined;
  /** @param digest of the page's bytes; undefined forgets every page of the kind */
  writePage(scope: PinScope, kind: DefinitionKind, cursor: string, digest: string | undefined, now: number): void;
  /** News that is not on record yet, as a text of its writer's; undefined if there is none. */
  untold(scope: PinScope): string | undefined;
  writeUntold(scope: PinScope, text: string | undefined, now: number): void;
  /** Detection's findings in a definition of this fingerprint; undefined if it was not scanned. */
  scanResult(scope: PinScope, kind: DefinitionKind, name: string, fingerprint: string): ScanResult | undefined;
  /** Keeps the findings in a known definition, either the one seen last or the trusted one; ignores any other. */
  writeScanResult(scope: PinScope, definition: Definition, result: ScanResult, now: number): void;
  /** Listed definitions whose text is kept and that this version of the rules has not scanned. */
  unscanned(scope: PinScope, kind: DefinitionKind, version: string): readonly Definition[];
  /** Findings in definitions as they were seen last, by name; only those with findings. */
  found(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, ScanResult>;
  /** Servers that list a tool of exactly this name, the first one to have it in front. */
  listers(tool: string): readonly string[];
  /** Every server that was ever seen, and the names of all tools that it ever listed. */
  tools(): ReadonlyMap<string, readonly string[]>;
  /** Tools of other servers whose names look like one of these, by that name. */
  lookAlikes(scope: PinScope, names: readonly string[]): ReadonlyMap<string, readonly Owner[]>;
}

interface DefinitionRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly serverType: 'stdio' | 'http';
  readonly kind: DefinitionKind;
  readonly name: string;
}

/** The findings in it that the policy cares about, the most severe first; undefined if it was not scanned. */
type FoundInNews = readonly Detection[] | undefined;

/** A listed definition that was news. */
export interface SeenRecord extends DefinitionRecord {
  readonly fingerprint: string;
  /** Its own description, if it has one. */
  readonly description: string | undefined;
  readonly status: SightStatus;
  readonly renamedFrom: string | undefined;
  /** Other servers' tools that it looks like. */
  readonly lookAlikes: readonly Owner[];
  /** The problem with its listing. */
  readonly problem: string | undefined;
  readonly detections: FoundInNews;
}

/** A definition that is not the trusted one; recorded on each listing. */
export interface ChangedRecord extends DefinitionRecord {
  readonly previous: string;
  readonly next: string;
  readonly changes: readonly FieldChange[];
  /** The action on it. */
  readonly action: 'alert' | 'hide' | 'deny' | 'prompt';
  readonly detections: FoundInNews;
}

/** A server that is started differently than when it was trusted. */
export interface ServerChangedRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly serverType: 'stdio' | 'http';
  readonly previous: string;
  readonly next: string;
  readonly changes: readonly FieldChange[];
  readonly action: 'alert' | 'hide' | 'deny' | 'prompt';
}
