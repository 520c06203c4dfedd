import type { DatabaseSync } from 'node:sqlite';
import type { DefinitionKind } from '../core/registry/definition.ts';
import { openWriter, type WriterOptions } from './open-writer.ts';
import type { LaunchIdentity, PinScope } from '../gate/ports/registry-port.ts';
import { LaunchRows } from './rows/launch-rows.ts';
import { toKey, toServerKey } from './rows/name-key.ts';
import { isBusy, toWriteFault } from './write-fault.ts';

/** The fingerprints a person was shown: the trusted one and the new one. */
export interface ShownPins {
  /** Undefined if nothing was trusted. */
  readonly pinned: string | undefined;
  readonly seen: string;
}

export interface ShownDefinition extends ShownPins {
  readonly kind: DefinitionKind;
  readonly name: string;
}

/** The definitions of a server that a person was shown and approved. */
export interface Shown {
  readonly scope: PinScope;
  /** Its launch; undefined if the person was not asked about that. */
  readonly identity: ShownPins | undefined;
  readonly definitions: readonly ShownDefinition[];
}

/** The outcome of an approval. `outdated`: something differs from what was shown, and nothing was changed. */
export type ApproveOutcome =
  | { readonly kind: 'approved'; readonly approved: number; readonly alreadyTrusted: number }
  | { readonly kind: 'outdated'; readonly scope: PinScope; readonly what: ShownDefinition | 'identity' };

const OF_SERVER = { table: 'registry_servers', condition: 'server = ?' } as const;
const OF_DEFINITION = { table: 'registry', condition: 'server = ? AND kind = ? AND name = ?' } as const;

/**
 * Trusts exactly what a person was shown, in one transaction. If anything differs from what was shown, nothing changes. The server's lists
 * are compared anew when they are next asked for.
 *
 * @returns undefined while another process holds the store
 * @throws ClawaiError `store_*` if the store can't be used
 */
export function approveShown(
  options: WriterOptions,
  shown: readonly Shown[],
  { by, now }: { readonly by: string; readonly now: number },
): ApproveOutcome | undefined {
  let outdated: ApproveOutcome | undefined;
  const approved = withWriter(options, (database) => {
    const outcome = approveAll(database, shown, { by, now });
    if (outcome.kind === 'approved') return outcome;
    outdated = outcome;
    return undefined;
  });
  return approved ?? outdated;
}

/** A launch of a server that is about to happen. */
export interface ComingLaunch {
  readonly server: string;
  readonly identity: LaunchIdentity;
  /** `approved`: a person approved it. `first`: it is trusted as the first of its name. `seen`: somebody must still approve it. */
  readonly trust: 'approved' | 'first' | 'seen';
}

/**
 * Notes how servers will be started, before they are. A `first` launch is only noted as seen if another launch of that name is trusted by
 * now.
 *
 * @returns undefined while another process holds the store
 * @throws ClawaiError `store_*` if the store can't be used
 */
export function noteLaunches(options: WriterOptions, launches: readonly ComingLaunch[], approver: Approver): true | undefined {
  return withWriter(options, (database) => {
    const rows = new LaunchRows(database);
    const { now } = approver;
    for (const { server, identity, trust } of launches) {
      const { scope, isTrusted, isFirst } = rows.launch(server, identity.fingerprint);
      if (isTrusted) continue;
      rows.writeServer(scope, identity, { isPinned: trust === 'approved' || (trust === 'first' && isFirst), now });
      if (trust !== 'approved') continue;
      const sql = 'UPDATE registry_servers SET approved_at = ?, approved_by = ? WHERE server = ?';
      database.prepare(sql).run(now, approver.by, toServerKey(scope));
    }
    return true;
  });
}

/** Runs `work` in one transaction, which is rolled back if `work` returns undefined or throws. */
function withWriter<T>(options: WriterOptions, work: (database: DatabaseSync) => T | undefined): T | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = openWriter(options);
    database.exec('BEGIN IMMEDIATE');
    const result = work(database);
    if (result !== undefined) database.exec('COMMIT');
    return result;
  } catch (thrown) {
    if (isBusy(thrown)) return undefined;
    throw toWriteFault(options.file, thrown);
  } finally {
    if (database?.isTransaction) database.exec('ROLLBACK');
    database?.close();
  }
}

interface Approver {
  readonly by: string;
  readonly now: number;
}

function approveAll(database: DatabaseSync, shown: readonly Shown[], approver: Approver): ApproveOutcome {
  let [approved, alreadyTrusted] = [0, 0];
  for (const { scope, identity, definitions } of shown) {
    const key = toServerKey(scope);
    const rows = [
      ...(identity === undefined ? [] : [{ row: OF_SERVER, key: [key], shown: identity, what: 'identity' as const }]),
      ...definitions.map((one) => ({ row: OF_DEFINITION, key: [key, one.kind, toKey(one.name)], shown: one, what: one })),
    ];
    for (const { what, ...row } of rows) {
      const became = approveRow(database, { ...row, approver });
      if (became === 'outdated') return { kind: 'outdated', scope, what };
      if (became === 'approved') approved++;
      else alreadyTrusted++;
    }
    const trust = database.prepare('INSERT OR IGNORE INTO registry_identities (server, fingerprint) VALUES (?, ?)');
    if (identity !== undefined) trust.run(key, identity.seen);
    // An unchanged page is not compared again, and this one was noted under the old pins.
    database.prepare('DELETE FROM registry_listings WHERE server = ?').run(key);
  }
  return { kind: 'approved', approved, alreadyTrusted };
}

interface ShownRow {
  readonly row: { readonly table: string; readonly condition: string };
  readonly key: readonly string[];
  readonly shown: ShownPins;
  readonly approver: Approver;
}

function approveRow(database: DatabaseSync, { row, key, shown, approver }: ShownRow): 'approved' | 'already' | 'outdated' {
  const known = database.prepare(`SELECT pinned, seen, approved_at FROM ${row.table} WHERE ${row.condition}`).get(...key);
  if (known?.['seen'] !== shown.seen) return 'outdated';
  // Somebody else approved the same. A pin from first use has no approval.
  if (known['pinned'] === shown.seen && known['approved_at'] !== null) return 'already';
  // The person was shown the difference to another pin.
  if ((known['pinned'] ?? undefined) !== shown.pinned) return 'outdated';
  database
    .prepare(`UPDATE ${row.table} SET pinned = seen, pinned_text = NULL, approved_at = ?, approved_by = ? WHERE ${row.condition}`)
    .run(approver.now, approver.by, ...key);
  return 'approved';
}
