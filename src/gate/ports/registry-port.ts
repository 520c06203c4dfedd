import type { Look } from '../../core/detect/look.ts';
import type { Detection } from '../../core/detect/types.ts';
import type {
  Definition,
  DefinitionKind,
  FieldChange,
  PinRecord,
  PinWrite,
  SightStatus,
} from '../../core/registry/definition.ts';

/**
 * Where a server's pins are kept: under its name, where all launches that were trusted together share them, or under one launch of that name.
 * Two projects may have a server of one name and start it differently, and each is trusted by itself.
 */
export type PinScope = string | OwnLaunch;

/** A launch that has pins of its own. */
export interface OwnLaunch {
  readonly server: string;
  /** Fingerprint of its launch identity. */
  readonly launch: string;
}

/** What is known of one launch of a server. */
export interface LaunchRecord {
  /** Where its pins are kept, or will be. It stays the same. */
  readonly scope: PinScope;
  /** A person trusts it, or it was the first. */
  readonly isTrusted: boolean;
  /** No launch of the server's name is trusted so far. */
  readonly isFirst: boolean;
}

/** Who started a server, for people who ask when it was last used. */
export interface LaunchUse {
  /** As the client calls itself; empty where it has not said. */
  readonly client: string;
  /** The folder that it was started in; empty for a remote server. */
  readonly folder: string;
}

/** What is known of a server's launches in one scope. */
export interface ServerRecord {
  /** Fingerprint of the launch identity that was trusted or, being trusted, seen last; undefined where none is yet. */
  readonly pinned: string | undefined;
  /** Of the one that was seen last. */
  readonly seen: string;
}

/** How a server is started or reached. */
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
 * What servers declare, and what of it is trusted; shared by all processes of a user. Every method is called between the sink's
 * `begin` and `commit`, and what it does is part of that transaction. Each throws where the store fails.
 */
export interface Registry {
  /** The open database: another object once the store was opened anew, as after its file was deleted or replaced. */
  readonly database: object;
  /** @param identity fingerprint of a launch identity */
  launch(server: string, identity: string): LaunchRecord;
  /** Undefined where nothing was seen in that scope. */
  server(scope: PinScope): ServerRecord | undefined;
  /**
   * Notes how a server is started now. What a refused launch lists is held against what is trusted of the server, so that a
   * person sees what differs. @param isPinned it is trusted from now on, besides those that are already
   */
  writeServer(scope: PinScope, identity: LaunchIdentity, options: { readonly isPinned: boolean; readonly now: number }): void;
  /** Text of a launch identity, as it is trusted or as it was seen last. */
  serverText(scope: PinScope, which: 'pinned' | 'seen'): string | undefined;
  /** Launch identities of a server's name that are trusted, and whose texts are kept. */
  trustedLaunches(server: string): readonly Omit<LaunchIdentity, 'type'>[];
  /** Notes that the server was used just now. */
  noteUse(scope: PinScope, use: LaunchUse, now: number): void;
  /** The scope in which a tool is known, for whoever does not know how its server was started. */
  scopeOf(server: string, tool: string): PinScope;
  /** What is known of one definition; on every call's way. */
  pin(scope: PinScope, kind: DefinitionKind, name: string): PinRecord | undefined;
  /** All of a kind, by name. */
  pins(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, PinRecord>;
  /** Canonical JSON of a definition, as it is trusted or as it was seen last. */
  text(scope: PinScope, kind: DefinitionKind, name: string, which: 'pinned' | 'seen'): string | undefined;
  write(scope: PinScope, writes: readonly PinWrite[], now: number): void;
  /** What was noted of a page of a list, by the cursor that it was asked for with. */
  page(scope: PinScope, kind: DefinitionKind, cursor: string): string | undefined;
  /** @param digest of the page's bytes; undefined forgets every page of the kind */
  writePage(scope: PinScope, kind: DefinitionKind, cursor: string, digest: string | undefined, now: number): void;
  /** What was news and is on no record yet, as a text of whoever wrote it; undefined where there is nothing. */
  untold(scope: PinScope): string | undefined;
  writeUntold(scope: PinScope, text: string | undefined, now: number): void;
  /** What detection found in a definition of this fingerprint; undefined where it was not looked at. */
  look(scope: PinScope, kind: DefinitionKind, name: string, fingerprint: string): Look | undefined;
  /** Keeps what was found in a definition that is known, as it was seen last or as it is trusted; nothing of any other. */
  writeLook(scope: PinScope, definition: Definition, look: Look, now: number): void;
  /** What is listed, has its text kept, and was not looked at by that version of the rules. */
  unlooked(scope: PinScope, kind: DefinitionKind, version: string): readonly Definition[];
  /** What was found in definitions as they were seen last, by name; nothing for those in which nothing was. */
  found(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, Look>;
  /** Servers that list a tool of exactly this name, the one that was seen with it first in front. */
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

/** What detection found in it that the policy is concerned with, the most severe first; undefined where it was not looked at. */
type FoundInNews = readonly Detection[] | undefined;

/** A definition that a server listed and that was news. */
export interface SeenRecord extends DefinitionRecord {
  readonly fingerprint: string;
  /** Its own description, where it has one. */
  readonly description: string | undefined;
  readonly status: SightStatus;
  readonly renamedFrom: string | undefined;
  /** Other servers' tools that it looks like. */
  readonly lookAlikes: readonly Owner[];
  /** What was wrong with the way it was listed. */
  readonly problem: string | undefined;
  readonly detections: FoundInNews;
}

/** A definition that is not the trusted one; recorded each time that it is listed. */
export interface ChangedRecord extends DefinitionRecord {
  readonly previous: string;
  readonly next: string;
  readonly changes: readonly FieldChange[];
  /** What became of it. */
  readonly action: 'alert' | 'hide' | 'deny' | 'prompt';
  readonly detections: FoundInNews;
}

/** A server that is started otherwise than it was when it was trusted. */
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
