import type { Look } from '../core/detect/look.ts';
import type { PastCall } from '../core/finding.ts';
import type { Bucket } from '../core/facts.ts';
import type { Definition, DefinitionKind, PinRecord, PinWrite } from '../core/registry/definition.ts';
import type { Buckets } from '../gate/ports/ports.ts';
import type {
  LaunchIdentity,
  LaunchRecord,
  LaunchUse,
  Owner,
  PinScope,
  Registry,
  ServerRecord,
} from '../gate/ports/registry-port.ts';
import type { LogVersion, RememberedValues, SessionEntry, SessionLog } from '../gate/ports/session-port.ts';
import type { KeptSighting, SightedCall, Sighting, Sightings } from '../gate/ports/sighting-port.ts';

/** Does something with the log of sessions that there is; throws where there is none yet. */
type UseSessionLog = <T>(work: (log: SessionLog) => T) => T;

/** Does something with the sightings that there are; throws where there are none yet. */
type UseSightings = <T>(work: (sightings: Sightings) => T) => T;

/** Does something with the buckets that there are; throws where there are none yet. */
type UseBuckets = <T>(work: (buckets: Buckets) => T) => T;

/** Does something with the registry that there is; throws where there is none yet. */
export type UseRegistry = <T>(work: (registry: Registry) => T) => T;

/** A registry that is elsewhere: in the transaction that a store has begun, or not loaded yet. */
export class LateRegistry implements Registry {
  readonly #use: UseRegistry;

  constructor(use: UseRegistry) {
    this.#use = use;
  }

  get database(): object {
    return this.#use((registry) => registry.database);
  }

  launch(server: string, identity: string): LaunchRecord {
    return this.#use((registry) => registry.launch(server, identity));
  }

  server(scope: PinScope): ServerRecord | undefined {
    return this.#use((registry) => registry.server(scope));
  }

  writeServer(scope: PinScope, identity: LaunchIdentity, options: { readonly isPinned: boolean; readonly now: number }): void {
    this.#use((registry) => registry.writeServer(scope, identity, options));
  }

  serverText(scope: PinScope, which: 'pinned' | 'seen'): string | undefined {
    return this.#use((registry) => registry.serverText(scope, which));
  }

  trustedLaunches(server: string): readonly Omit<LaunchIdentity, 'type'>[] {
    return this.#use((registry) => registry.trustedLaunches(server));
  }

  noteUse(scope: PinScope, use: LaunchUse, now: number): void {
    this.#use((registry) => registry.noteUse(scope, use, now));
  }

  scopeOf(server: string, tool: string): PinScope {
    return this.#use((registry) => registry.scopeOf(server, tool));
  }

  pin(scope: PinScope, kind: DefinitionKind, name: string): PinRecord | undefined {
    return this.#use((registry) => registry.pin(scope, kind, name));
  }

  pins(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, PinRecord> {
    return this.#use((registry) => registry.pins(scope, kind));
  }

  text(scope: PinScope, kind: DefinitionKind, name: string, which: 'pinned' | 'seen'): string | undefined {
    return this.#use((registry) => registry.text(scope, kind, name, which));
  }

  write(scope: PinScope, writes: readonly PinWrite[], now: number): void {
    this.#use((registry) => registry.write(scope, writes, now));
  }

  page(scope: PinScope, kind: DefinitionKind, cursor: string): string | undefined {
    return this.#use((registry) => registry.page(scope, kind, cursor));
  }

  writePage(scope: PinScope, kind: DefinitionKind, cursor: string, digest: string | undefined, now: number): void {
    this.#use((registry) => registry.writePage(scope, kind, cursor, digest, now));
  }

  untold(scope: PinScope): string | undefined {
    return this.#use((registry) => registry.untold(scope));
  }

  writeUntold(scope: PinScope, text: string | undefined, now: number): void {
    this.#use((registry) => registry.writeUntold(scope, text, now));
  }

  look(scope: PinScope, kind: DefinitionKind, name: string, fingerprint: string): Look | undefined {
    return this.#use((registry) => registry.look(scope, kind, name, fingerprint));
  }

  writeLook(scope: PinScope, definition: Definition, look: Look, now: number): void {
    this.#use((registry) => registry.writeLook(scope, definition, look, now));
  }

  unlooked(scope: PinScope, kind: DefinitionKind, version: string): readonly Definition[] {
    return this.#use((registry) => registry.unlooked(scope, kind, version));
  }

  found(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, Look> {
    return this.#use((registry) => registry.found(scope, kind));
  }

  listers(tool: string): readonly string[] {
    return this.#use((registry) => registry.listers(tool));
  }

  tools(): ReadonlyMap<string, readonly string[]> {
    return this.#use((registry) => registry.tools());
  }

  lookAlikes(scope: PinScope, names: readonly string[]): ReadonlyMap<string, readonly Owner[]> {
    return this.#use((registry) => registry.lookAlikes(scope, names));
  }
}

/** Buckets that are elsewhere, as `LateRegistry` is. */
export class LateBuckets implements Buckets {
  readonly #use: UseBuckets;

  constructor(use: UseBuckets) {
    this.#use = use;
  }

  read(key: string, now: number): Bucket | undefined {
    return this.#use((buckets) => buckets.read(key, now));
  }

  write(key: string, bucket: Bucket, full: number): void {
    this.#use((buckets) => buckets.write(key, bucket, full));
  }
}

/** Sightings that are elsewhere, as `LateRegistry` is. */
export class LateSightings implements Sightings {
  readonly #use: UseSightings;

  constructor(use: UseSightings) {
    this.#use = use;
  }

  add(session: string, call: SightedCall, sighting: Sighting): void {
    this.#use((sightings) => sightings.add(session, call, sighting));
  }

  of(session: string, call: SightedCall): readonly KeptSighting[] {
    return this.#use((sightings) => sightings.of(session, call));
  }

  named(call: SightedCall, toolUseId: string): readonly KeptSighting[] {
    return this.#use((sightings) => sightings.named(call, toolUseId));
  }

  remove(session: string, call: SightedCall, n: number): void {
    this.#use((sightings) => sightings.remove(session, call, n));
  }
}

/** A log of sessions that is elsewhere: in the transaction that a store has begun, or not loaded yet. */
export class LateSessionLog implements SessionLog {
  readonly #use: UseSessionLog;

  constructor(use: UseSessionLog) {
    this.#use = use;
  }

  version(): LogVersion {
    return this.#use((log) => log.version());
  }

  current(name: string, times: { readonly now: number; readonly idle: number }): string {
    return this.#use((log) => log.current(name, times));
  }

  entries(session: string, after: number, most: number): readonly SessionEntry[] {
    return this.#use((log) => log.entries(session, after, most));
  }

  addCall(session: string, call: PastCall): number {
    return this.#use((log) => log.addCall(session, call));
  }

  recorded(session: string, since: number, most: number): readonly PastCall[] {
    return this.#use((log) => log.recorded(session, since, most));
  }

  retract(session: string, id: string, now: number): number {
    return this.#use((log) => log.retract(session, id, now));
  }

  addServer(session: string, server: string, now: number): void {
    this.#use((log) => log.addServer(session, server, now));
  }

  servers(session: string): readonly string[] {
    return this.#use((log) => log.servers(session));
  }

  latestOf(servers: readonly string[], since: number): string | undefined {
    return this.#use((log) => log.latestOf(servers, since));
  }

  values(session: string, after: number, most: number): readonly RememberedValues[] {
    return this.#use((log) => log.values(session, after, most));
  }

  addValues(session: string, values: Omit<RememberedValues, 'n'>): number {
    return this.#use((log) => log.addValues(session, values));
  }
}
