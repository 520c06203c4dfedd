import type { Call } from '../../../core/call.ts';
import type { PinStatus } from '../../../core/facts.ts';
import type { RegisteredDefinition, RegistryTimes } from '../../../store/reading/registry-reader.ts';

/** The trusted and the seen fingerprint of a definition or server, with times. */
type Row = RegistryTimes & { readonly pinned: string | undefined; readonly seen: string };

/** The rows of a store's registry. */
export interface RegistryRows {
  readonly definitions: readonly RegisteredDefinition[];
  readonly servers: readonly (Row & { readonly server: string })[];
}

/** Possible states of a definition when it was called. */
export interface PastDefinition {
  /** Possible statuses, at least one; several if it can't be told. */
  readonly statuses: readonly PinStatus[];
  /** The fingerprint at the time; undefined if it can't be told. */
  readonly fingerprint: string | undefined;
}

const TRUSTED: readonly PinStatus[] = ['pinned'];
const DOUBTED: readonly PinStatus[] = ['pinned', 'changed'];

/**
 * Looks up definitions as they were at a time. The registry has their present state and when it began; events tell what changed before.
 * A definition counts as trusted if neither says anything against it.
 */
export class KnownDefinitions {
  readonly #definitions: ReadonlyMap<string, RegisteredDefinition> | undefined;
  readonly #servers: ReadonlyMap<string, Row>;
  /** The time of the first event on a change, in milliseconds since the epoch. */
  readonly #changed = new Map<string, number>();

  /** @param rows undefined where there is no registry, as beside a file of events */
  constructor(rows: RegistryRows | undefined) {
    // Events do not tell launches of one name apart: the row that they share comes first, and counts.
    this.#definitions = rows && new Map(rows.definitions.toReversed().map((row) => [keyOf(row.server, row.kind, row.name), row]));
    this.#servers = new Map(rows?.servers.toReversed().map((row) => [row.server, row]));
  }

  /** Notes an event on a change: of a tool, or of all of a server's definitions. */
  noteChange(server: string, tool: string | undefined, time: number): void {
    const key = keyOf(server, tool === undefined ? 'server' : 'tool', tool ?? '');
    const since = this.#changed.get(key);
    if (since === undefined || time < since) this.#changed.set(key, Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time);
  }

  /** Tells whether the registry has a server of this name. */
  hasServer(server: string): boolean {
    return this.#servers.has(server);
  }

  /** @param time milliseconds since the epoch */
  at(call: Call, time: number): PastDefinition {
    const { server } = call;
    const [kind, name] = subjectOf(call);
    if (kind === undefined || call.origin !== undefined) return { statuses: TRUSTED, fingerprint: undefined };
    const row = this.#definitions?.get(keyOf(server, kind, name));
    const own = this.#ownStatuses(row, {
      time,
      isTool: kind === 'tool',
      hasChanged: this.#hasChanged(keyOf(server, kind, name), time),
    });
    const around = this.#servers.get(server);
    const isAroundDoubted =
      this.#hasChanged(keyOf(server, 'server', ''), time) ||
      (around !== undefined && !wasTrusted(around, time) && around.pinned !== undefined);
    const statuses = isAroundDoubted && !own.includes('changed') ? [...own, 'changed' as const] : own;
    return { statuses, fingerprint: row !== undefined && time >= row.changedAt ? row.seen : undefined };
  }

  #hasChanged(key: string, time: number): boolean {
    const since = this.#changed.get(key);
    return since !== undefined && time >= since;
  }

  #ownStatuses(
    row: RegisteredDefinition | undefined,
    { time, isTool, hasChanged }: { time: number; isTool: boolean; hasChanged: boolean },
  ): readonly PinStatus[] {
    if (hasChanged) return DOUBTED;
    // The listed definitions are unknown without a registry.
    if (this.#definitions === undefined) return TRUSTED;
    if (row === undefined || time < row.firstSeen) return isTool ? ['pinned', 'unlisted'] : TRUSTED;
    if (row.pinned === undefined) return time >= row.changedAt ? ['new'] : ['new', 'changed'];
    // Trust before a person's approval depends on how the definition was first seen.
    if (row.approvedAt !== undefined && time < row.approvedAt) return ['pinned', 'new', 'changed'];
    if (wasTrusted(row, time)) return TRUSTED;
    return row.pinned !== row.seen && time >= row.changedAt ? ['changed'] : DOUBTED;
  }
}

/** Tells whether it is trusted now, and nothing has changed since then. */
function wasTrusted({ pinned, seen, changedAt, firstSeen }: Row, time: number): boolean {
  return pinned === seen && (time >= changedAt || changedAt === firstSeen);
}

function subjectOf({ tool, resource, prompt }: Call): readonly [string | undefined, string] {
  if (tool !== undefined) return ['tool', tool];
  if (resource !== undefined) return ['resource', resource];
  return [prompt === undefined ? undefined : 'prompt', prompt ?? ''];
}

/** The key of a definition. The length of the server's name keeps two keys from being the same. */
function keyOf(server: string, kind: string, name: string): string {
  return `${server.length}:${server}${kind}:${name}`;
}
