import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { nearestLaunch } from '../../core/registry/diff.ts';
import type {
  LaunchIdentity,
  LaunchRecord,
  LaunchUse,
  OwnLaunch,
  PinScope,
  ServerRecord,
} from '../../gate/ports/registry-port.ts';
import { fromServerKey, launchKeyRange, toKey, toServerKey } from './name-key.ts';

/**
 * Most untrusted launches of one name that are kept for a person to review; a server with a new argument at each start must not fill the
 * disk.
 */
export const MOST_REFUSED = 8;

/** Milliseconds after which a use is removed. */
const LONGEST_USE = 90 * 24 * 60 * 60 * 1000;

/** Most characters kept of a client's or folder's name; longer ones with the same beginning count as one. */
const MOST_NAME = 1000;

// Updates the texts when another one is seen: the trusted text is kept apart once it differs from the seen one.
export const TEXTS = `
  pinned_text = CASE
    WHEN pinned IS NULL OR pinned = excluded.seen THEN NULL
    WHEN pinned = seen THEN seen_text
    ELSE pinned_text END,
  seen_text = excluded.seen_text`;
export const CHANGED = 'changed_at = CASE WHEN seen = excluded.seen THEN changed_at ELSE excluded.changed_at END';

export const KEPT_TEXT = {
  seen: 'seen_text',
  pinned: 'CASE WHEN pinned IS NULL THEN NULL WHEN pinned = seen THEN seen_text ELSE pinned_text END',
} as const;

const SQL = {
  server: 'SELECT pinned, seen FROM registry_servers WHERE server = ?',
  isTrusted: 'SELECT 1 FROM registry_identities WHERE server = ? AND fingerprint = ?',
  // The keys of a server's own launches lie between two bounds.
  trusted: `SELECT pinned AS fingerprint, ${KEPT_TEXT.pinned} AS text FROM registry_servers WHERE (server = ? OR server > ? AND server < ?) AND pinned IS NOT NULL`,
  refused: `SELECT server FROM registry_servers WHERE server > ? AND server < ? AND pinned IS NULL AND server <> ?
    ORDER BY changed_at DESC LIMIT -1 OFFSET ${MOST_REFUSED - 1}`,
  add: `INSERT INTO registry_servers (server, seen, first_seen, changed_at, seen_text) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET ${TEXTS}, ${CHANGED}, seen = excluded.seen`,
  pin: 'UPDATE registry_servers SET pinned = seen, pinned_text = NULL WHERE server = ?',
  trust: 'INSERT OR IGNORE INTO registry_identities (server, fingerprint) VALUES (?, ?)',
  // The copies are not listed, since that launch has listed nothing yet. What it already listed is now compared with these pins.
  copy: `INSERT INTO registry (server, kind, name, pinned, seen, is_listed, first_seen, changed_at, approved_at, approved_by, look, size, seen_text)
    SELECT ?, kind, name, pinned, pinned, 0, ?, ?, approved_at, approved_by, look, coalesce(length(${KEPT_TEXT.pinned}), 0), ${KEPT_TEXT.pinned}
    FROM registry WHERE server = ? AND pinned IS NOT NULL
    ON CONFLICT (server, kind, name) DO UPDATE SET pinned = excluded.pinned, approved_at = excluded.approved_at, approved_by = excluded.approved_by,
      pinned_text = CASE WHEN excluded.pinned = registry.seen THEN NULL ELSE excluded.seen_text END
    WHERE registry.pinned IS NULL`,
  // An untrusted launch does not stand for a trusted one.
  toolScopes: `SELECT server FROM registry WHERE kind = 'tool' AND name = ? AND (server = ? OR server > ? AND server < ?)
    ORDER BY server NOT IN (SELECT server FROM registry_identities), server <> ?, is_listed DESC, id DESC LIMIT 1`,
  use: 'INSERT OR REPLACE INTO registry_uses (server, client, folder, time) VALUES (?, ?, ?, ?)',
  dropUses: 'DELETE FROM registry_uses WHERE time < ?',
} as const;

/** The tables of launches in an open store. Call every method inside a transaction. Errors are SQLite's. */
export class LaunchRows {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  launch(server: string, identity: string): LaunchRecord {
    const own: OwnLaunch = { server, launch: identity };
    if (this.#isTrusted(server, identity)) return { scope: server, isTrusted: true, isFirst: false };
    if (this.#isTrusted(own, identity)) return { scope: own, isTrusted: true, isFirst: false };
    const shared = this.server(server);
    const isFirst = this.prepare(SQL.trusted).get(toServerKey(server), ...launchKeyRange(server)) === undefined;
    // The first launch of a name uses the name's own pins, and keeps them.
    const isShared = shared === undefined || (shared.pinned === undefined && shared.seen === identity);
    const scope = isShared && this.server(own) === undefined ? server : own;
    return { scope, isTrusted: false, isFirst };
  }

  server(scope: PinScope): ServerRecord | undefined {
    const row = this.prepare(SQL.server).get(toServerKey(scope));
    return row === undefined ? undefined : { pinned: textOf(row['pinned']), seen: String(row['seen']) };
  }

  writeServer(
    scope: PinScope,
    { text, fingerprint }: LaunchIdentity,
    { isPinned, now }: { readonly isPinned: boolean; readonly now: number },
  ): void {
    const key = toServerKey(scope);
    this.prepare(SQL.add).run(key, fingerprint, now, now, text.toWellFormed());
    if (isPinned) {
      this.prepare(SQL.pin).run(key);
      this.prepare(SQL.trust).run(key, fingerprint);
    } else if (typeof scope !== 'string' && !this.#isTrusted(scope, fingerprint)) this.#compareRefused(scope, text, now);
  }

  serverText(scope: PinScope, which: 'pinned' | 'seen'): string | undefined {
    const row = this.prepare(`SELECT ${KEPT_TEXT[which]} AS text FROM registry_servers WHERE server = ?`).get(toServerKey(scope));
    return textOf(row?.['text']);
  }

  trustedLaunches(server: string): readonly Omit<LaunchIdentity, 'type'>[] {
    const rows = this.prepare(SQL.trusted).all(toServerKey(server), ...launchKeyRange(server));
    return rows.map((row) => ({ fingerprint: String(row['fingerprint']), text: String(row['text']) }));
  }

  noteUse(scope: PinScope, { client, folder }: LaunchUse, now: number): void {
    const [shortClient, shortFolder] = [client, folder].map((name) => toKey(name.slice(0, MOST_NAME)));
    this.prepare(SQL.use).run(toServerKey(scope), shortClient ?? '', shortFolder ?? '', now);
    this.prepare(SQL.dropUses).run(now - LONGEST_USE);
  }

  scopeOf(server: string, tool: string): PinScope {
    const key = toServerKey(server);
    const row = this.prepare(SQL.toolScopes).get(toKey(tool), key, ...launchKeyRange(server), key);
    const launch = row === undefined ? undefined : fromServerKey(String(row['server'])).launch;
    return launch === undefined ? server : { server, launch };
  }

  /** Prepares a statement at its first use: most connections list nothing. */
  protected prepare(sql: string): StatementSync {
    const prepared = this.#statements.get(sql) ?? this.database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #isTrusted(scope: PinScope, identity: string): boolean {
    return this.prepare(SQL.isTrusted).get(toServerKey(scope), identity) !== undefined;
  }

  /** Compares what a refused launch lists with the pins of the trusted launch that is most like it, if there is one by now. */
  #compareRefused(own: OwnLaunch, text: string, now: number): void {
    const key = toServerKey(own);
    for (const row of this.prepare(SQL.refused).all(...launchKeyRange(own.server), key)) {
      for (const table of ['registry_servers', 'registry', 'registry_looks', 'registry_listings', 'registry_uses'])
        this.prepare(`DELETE FROM ${table} WHERE server = ?`).run(String(row['server']));
    }
    const nearest = nearestLaunch(this.trustedLaunches(own.server), text);
    // As long as no launch of the name is trusted, pins of one launch say nothing about another.
    if (nearest === undefined) return;
    const like = this.launch(own.server, nearest.previous).scope;
    const copyFrom = (scope: PinScope): boolean =>
      Number(this.prepare(SQL.copy).run(key, now, now, toServerKey(scope)).changes) > 0;
    if (!copyFrom(like)) copyFrom(own.server);
  }
}

/** Reads a nullable column as text. */
export function textOf(value: SQLOutputValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
