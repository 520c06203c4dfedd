import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type Look, parseLook } from '../core/detect/look.ts';
import type { DefinitionKind, PinRecord } from '../core/registry/definition.ts';
import { toReadFault } from './read-fault.ts';
import { fromKey, toKey } from './name-key.ts';

/** When something was seen and trusted. Times are milliseconds since the epoch. */
export interface RegistryTimes {
  readonly firstSeen: number;
  /** When what was seen last was seen for the first time in a row. */
  readonly changedAt: number;
  /** When a person trusted it, and who; undefined where none has, as on first use. */
  readonly approvedAt: number | undefined;
  readonly approvedBy: string | undefined;
}

/** A definition that a server has listed. */
export interface RegisteredDefinition extends PinRecord, RegistryTimes {
  readonly server: string;
  /** What detection found in it as it was seen last; undefined where it was not looked at. */
  readonly detections: Look | undefined;
}

/** How a server is started or reached. */
export interface RegisteredServer extends RegistryTimes {
  readonly server: string;
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

  /** By server, kind and name. */
  definitions({ server, kind }: RegistryFilter): RegisteredDefinition[] {
    const rows = this.#all(
      `SELECT ${this.#definition} FROM registry WHERE server = coalesce(?, server) AND kind = coalesce(?, kind) ORDER BY server, kind, name`,
      [server === undefined ? null : toKey(server), kind ?? null],
    );
    return rows.map(toDefinition);
  }

  /** A definition with its texts, as they are at one moment. */
  definition(server: string, kind: DefinitionKind, name: string): (RegisteredDefinition & RegisteredTexts) | undefined {
    const sql = `SELECT ${this.#definition}, ${TEXTS} FROM registry WHERE server = ? AND kind = ? AND name = ?`;
    const [row] = this.#all(sql, [toKey(server), kind, toKey(name)]);
    return row === undefined ? undefined : { ...toDefinition(row), ...toTexts(row) };
  }

  /** By name. */
  servers(): (RegisteredServer & RegisteredTexts)[] {
    const rows = this.#all(`SELECT ${TIMES}, ${TEXTS} FROM registry_servers ORDER BY server`, []);
    return rows.map((row) => ({ ...toServer(row), ...toTexts(row) }));
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
    server: fromKey(String(row['server'])),
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

function textOf(value: SQLOutputValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
