import type { Scope } from '../clients/client.ts';
import type { FoundServer } from './read-servers.ts';
import type { EntryRecord } from './files/state-record.ts';

/** Which servers are meant. */
export interface Selection {
  /** Names of servers; undefined means all. */
  readonly servers?: readonly string[] | undefined;
  /** Undefined means all. A local scope is a user's own. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Ids of clients; undefined means all. */
  readonly clients?: readonly string[] | undefined;
}

export function isSelected(selection: Selection, { entry, found, clients }: FoundServer): boolean {
  return isMeant(selection, { server: entry.name, scope: found.location.scope, clients });
}

export function isRecordSelected(selection: Selection, { server, scope, client }: EntryRecord): boolean {
  return isMeant(selection, { server, scope, clients: [client] });
}

/** The names that were asked for and that no file has, so that a typing mistake does not look like success. */
export function unmatchedNames(
  { servers = [] }: Selection,
  outcomes: readonly { readonly report: { readonly entries: readonly { readonly server: string }[] } | undefined }[],
): readonly string[] {
  const found = new Set(outcomes.flatMap(({ report }) => report?.entries.map(({ server }) => server) ?? []));
  return servers.filter((name) => !found.has(name));
}

function isMeant(
  { servers, scopes, clients }: Selection,
  found: { readonly server: string; readonly scope: string; readonly clients: readonly string[] },
): boolean {
  return (
    (servers === undefined || servers.includes(found.server)) &&
    (scopes === undefined || scopes.some((scope) => scope === found.scope)) &&
    (clients === undefined || found.clients.some((client) => clients.includes(client)))
  );
}
