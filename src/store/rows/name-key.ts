import type { PinScope } from '../../gate/ports/registry-port.ts';

/**
 * A name as a column holds it. SQLite's texts can't hold every name that JavaScript's can, and two names must never become one: those
 * that it can't hold are kept as JSON, and so is what would look like that.
 */
export function toKey(name: string): string {
  return name.startsWith('"') || name.includes('\0') || !name.isWellFormed() ? JSON.stringify(name) : name;
}

/** The name that `toKey` made a key of; a key that was edited to what it never makes is the name itself. */
export function fromKey(key: string): string {
  if (!key.startsWith('"')) return key;
  try {
    return String(JSON.parse(key));
  } catch {
    // One row that was edited must not keep all others from being read.
    return key;
  }
}

/** What the registry's tables call a server; one launch of it that has its own pins is called by both, as JSON. */
export function toServerKey(scope: PinScope): string {
  if (typeof scope !== 'string') return JSON.stringify([scope.server, scope.launch]);
  return scope.startsWith(LAUNCH_MARK) ? JSON.stringify(scope) : toKey(scope);
}

/** A server, and the fingerprint of the launch where the row is of one alone. */
export interface KeyedServer {
  readonly server: string;
  readonly launch: string | undefined;
}

/** What `toServerKey` made a key of. */
export function fromServerKey(key: string): KeyedServer {
  const [server, launch] = key.startsWith(LAUNCH_MARK) ? parseLaunchKey(key) : [];
  return typeof server === 'string' && typeof launch === 'string'
    ? { server, launch }
    : { server: fromKey(key), launch: undefined };
}

/** The bounds, both not among them, between which the keys of a server's own launches lie. */
export function launchKeyRange(server: string): readonly [above: string, below: string] {
  const start = JSON.stringify([server]).slice(0, -1);
  // A comma comes next in a key, and a hyphen comes right after the comma.
  return [`${start},`, `${start}-`];
}

const LAUNCH_MARK = '["';

function parseLaunchKey(key: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(key);
    return Array.isArray(value) ? value : [];
  } catch {
    // One row that was edited must not keep all others from being read.
    return [];
  }
}
