import { basename, dirname } from 'node:path';
import type { JsonPath, Location, Scope } from '../clients/client.ts';
import type { JsonProblem } from '../clients/edit-json.ts';
import { readEntries } from '../clients/entries.ts';
import type { LocatedFile } from '../clients/locate.ts';
import type { Entry } from '../clients/read-entry.ts';
import type { ConfigGroup } from './files/read-config.ts';
import type { EntryRecord } from './files/state-record.ts';

/** One server of a file. */
export interface FoundServer {
  readonly entry: Entry;
  /** RFC 6901, e.g. `/mcpServers/github`. */
  readonly pointer: string;
  /** The place where it was found first; edits use that client's syntax. */
  readonly found: LocatedFile;
  /** Ids of all clients that read it. */
  readonly clients: readonly string[];
}

export interface FoundServers {
  readonly servers: readonly FoundServer[];
  /** Clients that can't parse the file, and so start nothing from it. */
  readonly problems: readonly { readonly client: string; readonly problem: JsonProblem }[];
}

/** Reads the servers of a text, as all clients of its file see them; each once. */
export function readServers(text: string, located: ConfigGroup['located']): FoundServers {
  const servers = new Map<string, FoundServer>();
  const problems: { client: string; problem: JsonProblem }[] = [];
  for (const files of Map.groupBy(located, howToRead).values()) {
    const [first] = files;
    if (first === undefined) continue;
    const { syntax, shape, mayNameFiles, only } = first.location;
    // Several locations in one file, e.g. for two scopes, are read in one pass, since the file may be large.
    const tables = [
      ...new Map(files.flatMap(({ location }) => location.tables).map((table) => [table.join('\0'), table])).values(),
    ];
    const result = readEntries(text, { syntax, shape, tables, mayNameFiles, only });
    if (!result.ok) {
      for (const client of new Set(files.map((file) => file.client.id))) problems.push({ client, problem: result.problem });
      continue;
    }
    for (const entry of result.entries) {
      const pointer = toPointer(entry.path);
      const seenBy = files.filter(({ location }) => location.tables.some((table) => isIn(table, entry.path)));
      const [found] = seenBy;
      if (found === undefined) continue;
      const known = servers.get(pointer);
      const clients = [...new Set([...(known?.clients ?? []), ...seenBy.map(({ client }) => client.id)])];
      const named = only === undefined ? entry : { ...entry, name: basename(dirname(found.file)) };
      servers.set(pointer, { entry: named, pointer, found, ...known, clients });
    }
  }
  return { servers: [...servers.values()], problems };
}

/** Formats a path as JSON pointer (RFC 6901). */
function toPointer(path: JsonPath): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function howToRead({ location: { syntax, shape, mayNameFiles, only } }: LocatedFile): string {
  return JSON.stringify([syntax, shape, mayNameFiles, only]);
}

function isIn(table: Location['tables'][number], path: JsonPath): boolean {
  return path.length === table.length + 1 && table.every((key, i) => key === '*' || key === path[i]);
}

/** Selects servers. */
export interface Selection {
  /** Names of servers; undefined means all. */
  readonly servers?: readonly string[] | undefined;
  /** Undefined means all. A local scope counts as the user's. */
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
