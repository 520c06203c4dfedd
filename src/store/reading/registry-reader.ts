import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type Look, parseLook } from '../../core/detect/look.ts';
import type { DefinitionKind, PinRecord } from '../../core/registry/definition.ts';
import { toReadFault } from './read.ts';
import type { LaunchUse, PinScope } from '../../gate/ports/registry-port.ts';
import { textOf } from '../rows/launch-rows.ts';
import { fromKey, fromServerKey, launchKeyRange, toKey, toServerKey } from '../rows/name-key.ts';

/** When something was seen and trusted. Times are milliseconds since the epoch. */
export interface RegistryTimes {
  readonly firstSeen: number;
  /** When what was seen last was seen for the first time in a row. */
  readonly changedAt: number;
  /** When a person trusted it, and who; undefined where none has, as on first use. */
  readonly approvedAt: number | undefined;
  readonly approvedBy: string | undefined;
}

/** Of which server, and of which of its launches where that has pins of its own. */
export interface OfServer {
  readonly server: string;
  /** Fingerprint; undefined for what launches of the server's name share. */
  readonly launch: string | undefined;
}

/** A definition that a server has listed. */
export interface RegisteredDefinition extends PinRecord, RegistryTimes, OfServer {
  /** What detection found in it as it was seen last; undefined where it was not looked at. */
  readonly detections: Look | undefined;
}

/** How a server is started or reached. */
export interface RegisteredServer extends RegistryTimes, OfServer {
  /** Fingerprint that is trusted; undefined where none is. */
  readonly pinned: string | undefined;
  readonly seen: string;
}

/** Canonical JSON. */
export interface RegisteredTexts {
  /** Undefined where nothing is trusted. */
  readonly pinnedText: string | undefined;
  /** Undefined where the server's definitions were too large to keep. */
  readonly seenText: string | undefined;
}

/** When a client used a server last. */
export interface RegisteredUse extends OfServer, LaunchUse {
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** Which definitions; all of them where nothing is said. */
export interface RegistryFilter {
  readonly server?: string | undefined;
  readonly kind?: DefinitionKind | undefined;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

const TIMES = 'server, pinned, seen, first_seen, changed_at, approved_at, approved_by';
const DEFINITION = `${TIMES}, kind, name, is_listed`;
const LOOK = `(SELECT detections FROM registry_looks AS looks WHERE looks.server = registry.server AND looks.kind = registry.kind
  AND looks.name = registry.name AND looks.fingerprint = registry.seen) AS detections`;
const TEXTS =
  'CASE WHEN pinned IS NULL THEN NULL WHEN pinned = seen THEN seen_text ELSE pinned_text END AS pinned_text, seen_text';

/** The registry in a store that is open for reading. Each method throws ClawaiError `store_*` where it turns out not to be readable. */
export class RegistryReader {
  readonly #file: string;
  readonly #database: DatabaseSync;
  /** What is read of a definition; an older clawai may have made the tables. */
  readonly #definition: string;

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
    const looks = this.#all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'registry_looks'", []);
    this.#definition = looks.length === 0 ? DEFINITION : `${DEFINITION}, ${LOOK}`;
  }

  /** By server, kind and name. What launches with pins of their own have not listed is not among them. */
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
   * A definition with its texts, as they are at one moment.
   *
   * @param scope a server's name alone stands for what its launches share or, where they share no such definition, for the launch that was seen last
   */
  definition(scope: PinScope, kind: DefinitionKind, name: string): (RegisteredDefinition & RegisteredTexts) | undefined {
    const key = toServerKey(scope);
    const [above, below] = typeof scope === 'string' ? launchKeyRange(scope) : ['', ''];
    const sql = `SELECT ${this.#definition}, ${TEXTS} FROM registry WHERE (server = ? OR server > ? AND server < ?) AND kind = ? AND name = ?
      ORDER BY server <> ?, is_listed DESC, id DESC LIMIT 1`;
    const [row] = this.#all(sql, [key, above, below, kind, toKey(name), key]);
    return row === undefined ? undefined : { ...toDefinition(row), ...toTexts(row) };
  }

  /** Who used which server, the latest first; nothing in a store that an older clawai made. */
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

  /** By name, and what launches of one name share in front. */
  servers(): (RegisteredServer & RegisteredTexts)[] {
    const rows = this.#all(`SELECT ${TIMES}, ${TEXTS} FROM registry_servers ORDER BY server`, []);
    const servers = rows.map((row) => ({ ...toServer(row), ...toTexts(row) }));
    return servers.toSorted(byServer);
  }

  /** Fingerprints of the launch identities that are trusted, by the names of their servers. */
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

/** What launches share comes before what one of them has by itself. */
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
    detections: typeof row['detections'] === 'string' ? parseLook(row['detections']) : undefined,
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
