import type { Client } from '../../clients/client.ts';
import type { LocatedFile } from '../../clients/locate.ts';
import type { FileRecord } from './state-record.ts';

/**
 * Lists the files in our records that were not found in the usual places, e.g. of other projects, as read by the clients that they were
 * wrapped for. A record of an unknown client gives none.
 */
export function recordedFiles(
  records: readonly FileRecord[],
  clients: readonly Client[],
  located: readonly LocatedFile[],
): readonly LocatedFile[] {
  const known = new Set(located.map(toKey));
  const more = new Map<string, LocatedFile>();
  for (const { alias, client: clientId, location: locationId } of records.flatMap(({ entries }) => entries)) {
    const client = clients.find(({ id }) => id === clientId);
    const location = client?.locations.find(({ id }) => id === locationId);
    if (client === undefined || location === undefined) continue;
    const file = { client, location, file: alias };
    if (!known.has(toKey(file))) more.set(toKey(file), file);
  }
  return [...more.values()];
}

function toKey({ client, location, file }: LocatedFile): string {
  return [client.id, location.id, file].join('\0');
}
