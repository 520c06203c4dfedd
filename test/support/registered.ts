import { fingerprintOf } from '../../src/core/registry/fingerprint.ts';
import type { Definition, DefinitionKind, PinWrite } from '../../src/core/registry/definition.ts';
import type { LaunchIdentity, Registry } from '../../src/gate/ports/registry-port.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';

/** A definition whose members stand in canonical order already. */
export function defined(name: string, description: string, kind: DefinitionKind = 'tool'): Definition {
  const member = { tool: 'name', prompt: 'name', resource: 'uri', resource_template: 'uriTemplate', instructions: '' }[kind];
  const text = kind === 'instructions' ? JSON.stringify(description) : JSON.stringify({ description, [member]: name });
  return { kind, name, text, fingerprint: fingerprintOf(text) };
}

/** A sight of it, trusted or not. */
export function sighted(
  name: string,
  description: string,
  { kind = 'tool', isPinned = false, isListed = true }: SeenCall = {},
): PinWrite {
  return { kind, name, seen: defined(name, description, kind), isListed, ...(isPinned ? { isPinned } : {}) };
}

interface SeenCall {
  readonly kind?: DefinitionKind;
  readonly isPinned?: boolean;
  readonly isListed?: boolean;
}

/** How a server is started. */
export function launched(command: string, ...args: readonly string[]): LaunchIdentity {
  const text = JSON.stringify({ args, command });
  return { type: 'stdio', text, fingerprint: fingerprintOf(text) };
}

/** Does something with the registry of a store, in a transaction and over a connection of its own. */
export function register<T>(file: string, work: (registry: Registry) => T): T {
  const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
  try {
    if (!store.begin()) throw new Error('the store is busy');
    const result = store.inRegistry(work);
    store.commit();
    return result;
  } finally {
    store.close();
  }
}
