import type { JsonValue } from '../../../src/core/json.ts';
import type { Definition, PinRecord, PinWrite } from '../../../src/core/registry/definition.ts';
import { toDefinition } from '../../../src/core/registry/fingerprint.ts';

/** A tool as a server lists it. */
export function tool(name: string, members: Record<string, JsonValue> = {}): Definition {
  const definition = toDefinition('tool', { name, description: 'Reads a file', ...members });
  if (definition === undefined) throw new Error('it has a name');
  return definition;
}

/** What is known, after these writes to it. */
export function applyWrites(known: ReadonlyMap<string, PinRecord>, writes: readonly PinWrite[]): Map<string, PinRecord> {
  const after = new Map(known);
  for (const { kind, name, seen, isPinned, isListed } of writes) {
    const before = after.get(name);
    const fingerprint = seen?.fingerprint ?? before?.seen;
    if (fingerprint === undefined) throw new Error(`${name} is noted without ever having been seen`);
    after.set(name, { kind, name, pinned: isPinned === true ? fingerprint : before?.pinned, seen: fingerprint, isListed });
  }
  return after;
}
