import type { PinScope } from '../../gate/ports/registry-port.ts';

/**
 * Encodes a name for a column. SQLite's texts can't hold every JavaScript string, and two names must never become one. So names that it
 * can't hold are stored as JSON, and so are names that begin with a quote.
 */
export function toKey(name: string): string {
  return name.startsWith('"') || name.includes('\0') || !name.isWellFormed() ? JSON.stringify(name) : name;
}

/** Decodes a key of `toKey`. A key that `toKey` never makes was edited, and is taken as the name itself. */
export function fromKey(key: string): string {
  if (!key.startsWith('"')) return key;
  try {
    return String(JSON.parse(key));
  } catch {
    // One edited row must not keep all others from being read.
    return key;
  }
}

/** Encodes a server for the registry's tables; a launch with its own pins is encoded with its server, as JSON. */
export function toServerKey(scope: PinScope): string {
  if (typeof scope !== 'string') return JSON.stringify([scope.server, scope.launch]);
  return scope.startsWith(LAUNCH_MARK) ? JSON.stringify(scope) : toKey(scope);
}

/** A server, and the launch's fingerprint if the row belongs to one launch. */
export interface KeyedServer {
  readonly server: string;
  readonly launch: string | undefined;
}

/** Decodes a key of `toServerKey`. */
export function fromServerKey(key: string): KeyedServer {
  const [server, launch] = key.startsWith(LAUNCH_MARK) ? parseLaunchKey(key) : [];
  return typeof server === 'string' && typeof launch === 'string'
    ? { server, launch }
    : { server: fromKey(key), launch: undefined };
}

/** Returns the exclusive bounds between which the keys of a server's own launches lie. */
export function launchKeyRange(server: string): readonly [above: string, below: string] {
  const start = JSON.stringify([server]).slice(0, -1);
  // In a key a comma comes next, and a hyphen is the character after the comma.
  return [`${start},`, `${start}-`];
}

const LAUNCH_MARK = '["';

function parseLaunchKey(key: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(key);
    return Array.isArray(value) ? value : [];
  } catch {
    // One edited row must not keep all others from being read.
    return [];
  }
}
