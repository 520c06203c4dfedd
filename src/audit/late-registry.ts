import type { Look } from '../core/detect/look.ts';
import type { Definition, DefinitionKind, PinRecord, PinWrite } from '../core/registry/definition.ts';
import type { LaunchIdentity, LaunchRecord, LaunchUse, Owner, PinScope, Registry, ServerRecord } from '../gate/registry-port.ts';

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
