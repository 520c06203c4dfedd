import type { Client } from '../../clients/client.ts';
import type { LocatedFile } from '../../clients/locate.ts';

/** The effect of one edit on one value: its exact text before and after, null if it was absent. */
export interface ValueRecord {
  readonly path: readonly string[];
  readonly before: string | null;
  readonly after: string | null;
}

/** One entry that we put clawai in front of. */
export interface EntryRecord {
  /** RFC 6901, e.g. `/mcpServers/github`. */
  readonly pointer: string;
  readonly server: string;
  /** Ids of the client and its location under which it was found; others may read the same file. */
  readonly client: string;
  readonly location: string;
  readonly scope: string;
  /** The path by which the client knows the file, perhaps a link. */
  readonly alias: string;
  readonly values: readonly ValueRecord[];
  /** `url`: a remote server, so the launches below are just a URL. Absent: a process. */
  readonly kind?: 'url' | undefined;
  /** The launch before and after, to recognise the entry when the client has rewritten the file in another style. */
  readonly original: readonly string[];
  readonly wrapped: readonly string[];
  /** JSON of the project's entry that this one was copied from; unwrapping then removes the whole entry. */
  readonly copy?: string | undefined;
  /** The time, ISO 8601, and the version of clawai. */
  readonly time: string;
  readonly version: string;
}

/** The record of one changed config file. */
export interface FileRecord {
  readonly format: 1;
  /** Real path of the config. */
  readonly file: string;
  /** SHA-256 of its bytes from before the first change; they are kept beside this record. */
  readonly pristine: string;
  /** False once somebody else wrote the file while it was wrapped: then the pristine bytes may not be restored as a whole. */
  readonly isOnlyOurs: boolean;
  /** SHA-256 of the bytes that we wrote last; during a change, of those before and after. */
  readonly ours: readonly string[];
  readonly entries: readonly EntryRecord[];
}

/** Parses a record; undefined if the text is invalid, e.g. damaged or of another format. */
export function parseFileRecord(text: string): FileRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The text is truncated or overwritten.
    return undefined;
  }
  return isFileRecord(value) ? value : undefined;
}

export function formatFileRecord(record: FileRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

function isFileRecord(value: unknown): value is FileRecord {
  return (
    isObject(value) &&
    value['format'] === 1 &&
    typeof value['file'] === 'string' &&
    typeof value['pristine'] === 'string' &&
    typeof value['isOnlyOurs'] === 'boolean' &&
    isListOf(value['ours'], isString) &&
    isListOf(value['entries'], isEntryRecord)
  );
}

function isEntryRecord(value: unknown): boolean {
  return (
    isObject(value) &&
    ['pointer', 'server', 'client', 'location', 'scope', 'alias', 'time', 'version'].every(
      (key) => typeof value[key] === 'string',
    ) &&
    (value['kind'] === undefined || value['kind'] === 'url') &&
    (value['copy'] === undefined || isString(value['copy'])) &&
    isListOf(value['values'], isValueRecord) &&
    isListOf(value['original'], isString) &&
    isListOf(value['wrapped'], isString)
  );
}

function isValueRecord(value: unknown): boolean {
  return (
    isObject(value) &&
    isListOf(value['path'], isString) &&
    [value['before'], value['after']].every((text) => text === null || isString(text))
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

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
