import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type ScanResult, parseScanResult } from '../../core/detect/types.ts';
import type { DefinitionKind, PinRecord } from '../../core/registry/definition.ts';
import { toReadFault } from './read.ts';
import type { LaunchUse, PinScope } from '../../gate/ports/registry-port.ts';
import { textOf } from '../rows/launch-rows.ts';
import { fromKey, fromServerKey, launchKeyRange, toKey, toServerKey } from '../rows/name-key.ts';

/** The times when something was seen and trusted, in milliseconds since the epoch. */
export interface RegistryTimes {
  readonly firstSeen: number;
  /** The time since which the latest version has been seen without another in between. */
  readonly changedAt: number;
  /** The time of the approval, and the person; undefined if nobody has approved it, as on first use. */
  readonly approvedAt: number | undefined;
  readonly approvedBy: string | undefined;
}

/** Names a server, and one of its launches if that has pins of its own. */
export interface OfServer {
  readonly server: string;
  /** Fingerprint; undefined for rows that the launches of the server's name share. */
  readonly launch: string | undefined;
}

/** A definition that a server has listed. */
export interface RegisteredDefinition extends PinRecord, RegistryTimes, OfServer {
  /** The findings of detection in its latest version; undefined if that was not checked. */
  readonly detections: ScanResult | undefined;
}

/** The launch of a server. */
export interface RegisteredServer extends RegistryTimes, OfServer {
  /** The trusted fingerprint; undefined if there is none. */
  readonly pinned: string | undefined;
  readonly seen: string;
}

/** The texts of a definition or launch, as canonical JSON. */
export interface RegisteredTexts {
  /** Undefined if nothing is trusted. */
  readonly pinnedText: string | undefined;
  /** Undefined if the server's definitions were too large to keep. */
  readonly seenText: string | undefined;
}

/** The time when a client last used a server. */
export interface RegisteredUse extends OfServer, LaunchUse {
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** Selects definitions; an empty filter selects all. */
export interface RegistryFilter {
  readonly server?: string | undefined;
  readonly kind?: DefinitionKind | undefined;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

const TIMES = 'server, pinned, seen, first_seen, changed_at, approved_at, approved_by';
const DEFINITION = `${TIMES}, kind, name, is_listed`;
const SCAN_RESULT = `(SELECT detections FROM registry_looks AS looks WHERE looks.server = registry.server AND looks.kind = registry.kind
  AND looks.name = registry.name AND looks.fingerprint = registry.seen) AS detections`;
const TEXTS =
  'CASE WHEN pinned IS NULL THEN NULL WHEN pinned = seen THEN seen_text ELSE pinned_text END AS pinned_text, seen_text';

/** The registry in a store that is open for reading. Each method throws ClawaiError `store_*` if the store can't be read. */
export class RegistryReader {
  readonly #file: string;
  readonly #database: DatabaseSync;
  /** The columns read of a definition; tables of an older clawai lack some. */
  readonly #definition: string;

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
    const tables = this.#all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'registry_looks'", []);
    this.#definition = tables.length === 0 ? DEFINITION : `${DEFINITION}, ${SCAN_RESULT}`;
  }

  /** Lists definitions by server, kind and name. It leaves out unlisted ones of launches that have their own pins. */
  definitions({ server, kind }: RegistryFilter): RegisteredDefinition[] {
    const [above, below] = server === undefined ? ['', ''] : launchKeyRange(server);
    const rows = this.#all(
      `SELECT ${this.#definition} FROM registry WHERE (server = coalesce(?, server) OR server > ? AND server < ?) AND kind = coalesce(?, kind)
       ORDER BY server, kind, name`,
      [server === undefined ? null : toServerKey(server), above, below, kind ?? null],
    );
    const definitions = rows.map(toDefinition).filter(({ launch, isListed }) => isListed || launch === undefined);
    return definitions.toSorted(byServer);
  }

  /**
   * Reads a definition with its texts in one statement.
   *
   * @param scope a server's name alone means what its launches share or, if they share no such definition, the launch that was seen last
   */
  definition(scope: PinScope, kind: DefinitionKind, name: string): (RegisteredDefinition & RegisteredTexts) | undefined {
    const key = toServerKey(scope);
    const [above, below] = typeof scope === 'string' ? launchKeyRange(scope) : ['', ''];
    const sql = `SELECT ${this.#definition}, ${TEXTS} FROM registry WHERE (server = ? OR server > ? AND server < ?) AND kind = ? AND name = ?
      ORDER BY server <> ?, is_listed DESC, id DESC LIMIT 1`;
    const [row] = this.#all(sql, [key, above, below, kind, toKey(name), key]);
    return row === undefined ? undefined : { ...toDefinition(row), ...toTexts(row) };
  }

  /** Lists which client used which server, the latest first; empty for a store that an older clawai created. */
  uses(): RegisteredUse[] {
    const table = this.#all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'registry_uses'", []);
    const rows =
      table.length === 0 ? [] : this.#all('SELECT server, client, folder, time FROM registry_uses ORDER BY time DESC', []);
    return rows.map((row) => ({
      ...fromServerKey(String(row['server'])),
      client: fromKey(String(row['client'])),
      folder: fromKey(String(row['folder'])),
      time: Number(row['time']),
    }));
  }

  /** Lists servers by name; what launches of one name share comes first. */
  servers(): (RegisteredServer & RegisteredTexts)[] {
    const rows = this.#all(`SELECT ${TIMES}, ${TEXTS} FROM registry_servers ORDER BY server`, []);
    const servers = rows.map((row) => ({ ...toServer(row), ...toTexts(row) }));
    return servers.toSorted(byServer);
  }

  /** Maps each server's name to the fingerprints of its trusted launches. */
  trusted(): ReadonlyMap<string, ReadonlySet<string>> {
    const trusted = new Map<string, Set<string>>();
    for (const row of this.#all('SELECT server, fingerprint FROM registry_identities', [])) {
      const { server } = fromServerKey(String(row['server']));
      const known = trusted.get(server) ?? new Set();
      trusted.set(server, known.add(String(row['fingerprint'])));
    }
    return trusted;
  }

  close(): void {
    this.#database.close();
  }

  #all(sql: string, values: readonly (string | null)[]): Row[] {
    try {
      return this.#database.prepare(sql).all(...values);
    } catch (thrown) {
      throw toReadFault(this.#file, thrown);
    }
  }
}

/** Orders by server; what its launches share comes before what one launch has by itself. */
function byServer(a: OfServer, b: OfServer): number {
  if (a.server !== b.server) return a.server < b.server ? -1 : 1;
  const [left = '', right = ''] = [a.launch, b.launch];
  return left === right ? 0 : left < right ? -1 : 1;
}

function toDefinition(row: Row): RegisteredDefinition {
  return {
    ...toServer(row),
    kind: String(row['kind']) as DefinitionKind,
    name: fromKey(String(row['name'])),
    isListed: row['is_listed'] === 1,
    detections: typeof row['detections'] === 'string' ? parseScanResult(row['detections']) : undefined,
  };
}

function toServer(row: Row): RegisteredServer {
  return {
    ...fromServerKey(String(row['server'])),
    pinned: textOf(row['pinned']),
    seen: String(row['seen']),
    firstSeen: Number(row['first_seen']),
    changedAt: Number(row['changed_at']),
    approvedAt: typeof row['approved_at'] === 'number' ? row['approved_at'] : undefined,
    approvedBy: textOf(row['approved_by']),
  };
}

function toTexts(row: Row): RegisteredTexts {
  return { pinnedText: textOf(row['pinned_text']), seenText: textOf(row['seen_text']) };
}
