import type { Look } from '../core/detect/look.ts';
import type { Definition, DefinitionKind, PinRecord, PinWrite } from '../core/registry/definition.ts';
import type { LaunchIdentity, Owner, Registry, ServerRecord } from '../gate/registry-port.ts';

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

  server(server: string): ServerRecord | undefined {
    return this.#use((registry) => registry.server(server));
  }

  isTrusted(server: string, identity: string): boolean {
    return this.#use((registry) => registry.isTrusted(server, identity));
  }

  writeServer(server: string, identity: LaunchIdentity, options: { readonly isPinned: boolean; readonly now: number }): void {
    this.#use((registry) => registry.writeServer(server, identity, options));
  }

  serverText(server: string, which: 'pinned' | 'seen'): string | undefined {
    return this.#use((registry) => registry.serverText(server, which));
  }

  pin(server: string, kind: DefinitionKind, name: string): PinRecord | undefined {
    return this.#use((registry) => registry.pin(server, kind, name));
  }

  pins(server: string, kind: DefinitionKind): ReadonlyMap<string, PinRecord> {
    return this.#use((registry) => registry.pins(server, kind));
  }

  text(server: string, kind: DefinitionKind, name: string, which: 'pinned' | 'seen'): string | undefined {
    return this.#use((registry) => registry.text(server, kind, name, which));
  }

  write(server: string, writes: readonly PinWrite[], now: number): void {
    this.#use((registry) => registry.write(server, writes, now));
  }

  page(server: string, kind: DefinitionKind, cursor: string): string | undefined {
    return this.#use((registry) => registry.page(server, kind, cursor));
  }

  writePage(server: string, kind: DefinitionKind, cursor: string, digest: string | undefined, now: number): void {
    this.#use((registry) => registry.writePage(server, kind, cursor, digest, now));
  }

  look(server: string, kind: DefinitionKind, name: string, fingerprint: string): Look | undefined {
    return this.#use((registry) => registry.look(server, kind, name, fingerprint));
  }

  writeLook(server: string, definition: Definition, look: Look, now: number): void {
    this.#use((registry) => registry.writeLook(server, definition, look, now));
  }

  unlooked(server: string, kind: DefinitionKind, version: string): readonly Definition[] {
    return this.#use((registry) => registry.unlooked(server, kind, version));
  }

  found(server: string, kind: DefinitionKind): ReadonlyMap<string, Look> {
    return this.#use((registry) => registry.found(server, kind));
  }

  listers(tool: string): readonly string[] {
    return this.#use((registry) => registry.listers(tool));
  }

  tools(): ReadonlyMap<string, readonly string[]> {
    return this.#use((registry) => registry.tools());
  }

  lookAlikes(server: string, names: readonly string[]): ReadonlyMap<string, readonly Owner[]> {
    return this.#use((registry) => registry.lookAlikes(server, names));
  }
}
