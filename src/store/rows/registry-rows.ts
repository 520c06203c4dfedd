import type { SQLOutputValue } from 'node:sqlite';
import type { Definition, DefinitionKind, PinRecord, PinWrite } from '../../core/registry/definition.ts';
import { formatScanResult, type ScanResult, parseScanResult } from '../../core/detect/types.ts';
import { foldName } from '../../core/registry/deceptive-names.ts';
import type { Owner, PinScope, Registry } from '../../gate/ports/registry-port.ts';
import { CHANGED, KEPT_TEXT, LaunchRows, TEXTS, textOf } from './launch-rows.ts';
import { fromKey, fromServerKey, launchKeyRange, toKey, toServerKey } from './name-key.ts';

/**
 * Limits per server and kind; a server that lists ever new names must not fill the disk. A definition beyond them is not stored, so it
 * stays one that was never listed. A stored one that grows beyond them keeps its row without its text. Nothing is removed to make room,
 * since that would forget pins. Usual servers have well below a hundred `definitions`.
 */
export const MOST_KEPT = { definitions: 20_000, characters: 8 * 1024 * 1024, pages: 1000, cursor: 4096 } as const;

/** Milliseconds for which an unreported notice is kept; it is reported as soon as the server lists again. */
const UNTOLD_FOR = 365 * 24 * 60 * 60 * 1000;

/** Most look-alikes of one name to report. */
const MOST_OWNERS = 20;

/** Most servers that listed one tool. The caller looks for those of one session among them; no user has that many servers. */
const MOST_LISTERS = 1000;

const PIN = 'kind, name, pinned, seen, is_listed, approved_at IS NOT NULL AS is_approved';
const KEY = 'server = ? AND kind = ? AND name = ?';

/** These texts are built once: building one per call would make the statement cache compare it letter by letter. */
const SQL = {
  size: `SELECT size FROM registry WHERE ${KEY}`,
  add: `INSERT INTO registry (server, kind, name, seen, is_listed, first_seen, changed_at, look, size, seen_text)
    VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?)
    ON CONFLICT (server, kind, name) DO UPDATE SET ${TEXTS}, ${CHANGED}, seen = excluded.seen, look = excluded.look, size = excluded.size`,
  list: `UPDATE registry SET is_listed = ? WHERE ${KEY} AND is_listed <> ?`,
  pin: `UPDATE registry SET pinned = seen WHERE ${KEY} AND pinned IS NULL`,
  pinOf: `SELECT ${PIN} FROM registry WHERE ${KEY}`,
  scanResult: `SELECT detections FROM registry_looks WHERE ${KEY} AND fingerprint = ?`,
  isKept: `SELECT 1 FROM registry WHERE ${KEY} AND (seen = ? OR pinned = ?)`,
  addScanResult: `INSERT OR REPLACE INTO registry_looks (server, kind, name, fingerprint, version, time, severity, detections)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  untold: "SELECT value FROM state WHERE scope = 'untold' AND key = ?",
  writeUntold: "INSERT OR REPLACE INTO state (scope, key, value, expires) VALUES ('untold', ?, ?, ?)",
  isTrusted: 'SELECT 1 FROM registry_identities WHERE server = ? LIMIT 1',
  dropUntold: "DELETE FROM state WHERE scope = 'untold' AND key = ?",
  // Most definitions have one result, which is checked before the rest.
  dropScanResults: `DELETE FROM registry_looks WHERE ${KEY} AND fingerprint <> ? AND fingerprint NOT IN
    (SELECT seen FROM registry WHERE ${KEY} UNION SELECT pinned FROM registry WHERE ${KEY} AND pinned IS NOT NULL)`,
} as const;

/** The tables of the registry in an open store. Call every method inside a transaction. Errors are SQLite's. */
export class RegistryRows extends LaunchRows implements Registry {
  pin(scope: PinScope, kind: DefinitionKind, name: string): PinRecord | undefined {
    const row = this.prepare(SQL.pinOf).get(toServerKey(scope), kind, toKey(name));
    return row === undefined ? undefined : toPin(row);
  }

  pins(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, PinRecord> {
    const rows = this.prepare(`SELECT ${PIN} FROM registry WHERE server = ? AND kind = ?`).all(toServerKey(scope), kind);
    return new Map(rows.map(toPin).map((pin) => [pin.name, pin]));
  }

  text(scope: PinScope, kind: DefinitionKind, name: string, which: 'pinned' | 'seen'): string | undefined {
    const row = this.prepare(`SELECT ${KEPT_TEXT[which]} AS text FROM registry WHERE ${KEY}`).get(
      toServerKey(scope),
      kind,
      toKey(name),
    );
    return textOf(row?.['text']);
  }

  write(scope: PinScope, writes: readonly PinWrite[], now: number): void {
    const kept = new Map<DefinitionKind, Kept>();
    for (const write of writes) {
      const key = [toServerKey(scope), write.kind, toKey(write.name)] as const;
      const { seen } = write;
      if (seen !== undefined) {
        const room = kept.get(write.kind) ?? this.#kept(scope, write.kind);
        kept.set(write.kind, room);
        this.#see(key, { name: write.name, text: seen.text, fingerprint: seen.fingerprint, room, now });
      }
      const isListed = write.isListed ? 1 : 0;
      this.prepare(SQL.list).run(isListed, ...key, isListed);
      // Only a person moves an existing pin.
      if (write.isPinned) this.prepare(SQL.pin).run(...key);
    }
  }

  page(scope: PinScope, kind: DefinitionKind, cursor: string): string | undefined {
    const row = this.prepare('SELECT digest FROM registry_listings WHERE server = ? AND kind = ? AND cursor = ?');
    return textOf(row.get(toServerKey(scope), kind, toKey(cursor))?.['digest']);
  }

  writePage(scope: PinScope, kind: DefinitionKind, cursor: string, digest: string | undefined, now: number): void {
    if (digest === undefined) {
      this.#forgetPages(scope, kind);
      return;
    }
    // A page that is not stored is compared each time.
    if (cursor.length > MOST_KEPT.cursor) return;
    if (this.page(scope, kind, cursor) === undefined) {
      const count = this.prepare('SELECT count(*) AS n FROM registry_listings WHERE server = ? AND kind = ?');
      if (Number(count.get(toServerKey(scope), kind)?.['n']) >= MOST_KEPT.pages) this.#forgetPages(scope, kind);
    }
    this.prepare('INSERT OR REPLACE INTO registry_listings (server, kind, cursor, digest, time) VALUES (?, ?, ?, ?, ?)').run(
      toServerKey(scope),
      kind,
      toKey(cursor),
      digest,
      now,
    );
  }

  untold(scope: PinScope): string | undefined {
    return textOf(this.prepare(SQL.untold).get(toServerKey(scope))?.['value']);
  }

  writeUntold(scope: PinScope, text: string | undefined, now: number): void {
    if (text === undefined) this.prepare(SQL.dropUntold).run(toServerKey(scope));
    else this.prepare(SQL.writeUntold).run(toServerKey(scope), text, now + UNTOLD_FOR);
  }

  lookAlikes(scope: PinScope, names: readonly string[]): ReadonlyMap<string, readonly Owner[]> {
    const server = typeof scope === 'string' ? scope : scope.server;
    // Other launches of the same server don't count as other servers.
    const find = this.prepare(
      `SELECT server, name FROM registry WHERE look = ? AND server <> ? AND (server < ? OR server > ?) AND is_listed = 1
       ORDER BY server, name LIMIT ${MOST_OWNERS}`,
    );
    const found = new Map<string, readonly Owner[]>();
    for (const name of names) {
      const rows = find.all(lookOf(name), toServerKey(server), ...launchKeyRange(server));
      const owners = rows.map((row) => ({ server: serverOf(row), name: fromKey(String(row['name'])) }));
      if (owners.length > 0) found.set(name, owners);
    }
    return found;
  }

  scanResult(scope: PinScope, kind: DefinitionKind, name: string, fingerprint: string): ScanResult | undefined {
    const text = textOf(this.prepare(SQL.scanResult).get(toServerKey(scope), kind, toKey(name), fingerprint)?.['detections']);
    return text === undefined ? undefined : parseScanResult(text);
  }

  writeScanResult(scope: PinScope, { kind, name, fingerprint }: Definition, result: ScanResult, now: number): void {
    const key = [toServerKey(scope), kind, toKey(name)] as const;
    // A definition that is not stored is checked each time it is listed.
    if (this.prepare(SQL.isKept).get(...key, fingerprint, fingerprint) === undefined) return;
    this.prepare(SQL.dropScanResults).run(...key, fingerprint, ...key, ...key);
    this.prepare(SQL.addScanResult).run(
      ...key,
      fingerprint,
      result.version,
      now,
      result.severity ?? null,
      formatScanResult(result),
    );
  }

  unscanned(scope: PinScope, kind: DefinitionKind, version: string): readonly Definition[] {
    const rows = this.prepare(
      `SELECT name, seen, seen_text FROM registry WHERE server = ? AND kind = ? AND is_listed = 1 AND seen_text IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM registry_looks AS looks WHERE looks.server = registry.server AND looks.kind = registry.kind
       AND looks.name = registry.name AND looks.fingerprint = registry.seen AND looks.version = ?) ORDER BY id`,
    ).all(toServerKey(scope), kind, version);
    return rows.map((row) => ({
      kind,
      name: fromKey(String(row['name'])),
      text: String(row['seen_text']),
      fingerprint: String(row['seen']),
    }));
  }

  found(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, ScanResult> {
    const rows = this.prepare(
      `SELECT registry.name, detections FROM registry JOIN registry_looks AS looks ON looks.server = registry.server
       AND looks.kind = registry.kind AND looks.name = registry.name AND looks.fingerprint = registry.seen
       WHERE registry.server = ? AND registry.kind = ? AND severity IS NOT NULL`,
    ).all(toServerKey(scope), kind);
    const results = new Map<string, ScanResult>();
    for (const row of rows) {
      const result = parseScanResult(String(row['detections']));
      if (result !== undefined) results.set(fromKey(String(row['name'])), result);
    }
    return results;
  }

  listers(tool: string): readonly string[] {
    // Matches by name, not by folded name: a name without visible characters has none, and older versions folded names differently.
    const rows = this.prepare(
      `SELECT server FROM registry INDEXED BY registry_tools WHERE kind = 'tool' AND name = ? AND is_listed = 1
       ORDER BY id LIMIT ${MOST_LISTERS}`,
    ).all(toKey(tool));
    const isTrusted = (key: string): boolean => this.prepare(SQL.isTrusted).get(key) !== undefined;
    // An untrusted launch takes no name from anybody: other launches of its server, in other sessions, do not list what it does.
    const listing = rows.filter(
      (row) => fromServerKey(String(row['server'])).launch === undefined || isTrusted(String(row['server'])),
    );
    return [...new Set(listing.map(serverOf))];
  }

  tools(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, Set<string>>();
    for (const row of this.prepare('SELECT server FROM registry_servers').all()) found.set(serverOf(row), new Set());
    for (const row of this.prepare("SELECT server, name FROM registry WHERE kind = 'tool' ORDER BY server, name").all()) {
      const server = serverOf(row);
      const names = found.get(server) ?? new Set();
      found.set(server, names);
      names.add(fromKey(String(row['name'])));
    }
    return new Map(Array.from(found, ([server, names]) => [server, [...names]]));
  }

  #see(
    key: readonly [server: string, kind: DefinitionKind, name: string],
    { name, text, fingerprint, room, now }: SeenCall,
  ): void {
    const known = this.prepare(SQL.size).get(...key);
    const characters = room.characters - Number(known?.['size'] ?? 0);
    const hasRoom = characters + text.length <= MOST_KEPT.characters;
    if (known === undefined && (!hasRoom || room.definitions >= MOST_KEPT.definitions)) return;
    const size = hasRoom ? text.length : 0;
    room.characters = characters + size;
    if (known === undefined) room.definitions++;
    const look = key[1] === 'tool' ? lookOf(name) : null;
    this.prepare(SQL.add).run(...key, fingerprint, now, now, look, size, hasRoom ? text.toWellFormed() : null);
  }

  #kept(scope: PinScope, kind: DefinitionKind): Kept {
    const row = this.prepare('SELECT count(*) AS n, total(size) AS size FROM registry WHERE server = ? AND kind = ?');
    const { n, size } = row.get(toServerKey(scope), kind) ?? {};
    return { definitions: Number(n), characters: Number(size) };
  }

  #forgetPages(scope: PinScope, kind: DefinitionKind): void {
    this.prepare('DELETE FROM registry_listings WHERE server = ? AND kind = ?').run(toServerKey(scope), kind);
  }
}

/** The space a server and kind already use. */
interface Kept {
  definitions: number;
  characters: number;
}

interface SeenCall {
  readonly name: string;
  readonly text: string;
  readonly fingerprint: string;
  readonly room: Kept;
  readonly now: number;
}

function serverOf(row: Readonly<Record<string, SQLOutputValue>>): string {
  return fromServerKey(String(row['server'])).server;
}

/** Folds a name; null for a name without visible characters, which resembles no other. */
function lookOf(name: string): string | null {
  const fold = foldName(name);
  return fold === '' ? null : toKey(fold);
}

function toPin(row: Readonly<Record<string, SQLOutputValue>>): PinRecord {
  return {
    kind: String(row['kind']) as DefinitionKind,
    name: fromKey(String(row['name'])),
    pinned: textOf(row['pinned']),
    seen: String(row['seen']),
    isListed: row['is_listed'] === 1,
    ...(row['is_approved'] === 1 && { isApproved: true }),
  };
}
