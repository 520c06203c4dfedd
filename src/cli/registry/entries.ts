import type { Look } from '../../core/detect/look.ts';
import { DEFINITION_KINDS, type FieldChange } from '../../core/registry/definition.ts';
import { diffDefinitions } from '../../core/registry/diff.ts';
import { isPinned } from '../../core/registry/pin-status.ts';
import type { RegisteredDefinition, RegisteredServer, RegisteredTexts, RegistryReader } from '../../store/registry-reader.ts';
import { visible } from '../printable.ts';

/** What a server declares, and as one more the way in which it is started or reached. */
export const ENTRY_KINDS = [...DEFINITION_KINDS, 'server'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const ENTRY_STATUSES = ['pinned', 'changed', 'new', 'gone'] as const;
export type EntryStatus = (typeof ENTRY_STATUSES)[number];

/** Something that is trusted, or not. */
export interface Entry extends RegisteredServer {
  readonly kind: EntryKind;
  /** Empty for instructions, and for the way in which a server is started. */
  readonly name: string;
  readonly isListed: boolean;
  readonly status: Exclude<EntryStatus, 'gone'>;
  /** What detection found in it as it was seen last; undefined where it was not looked at. */
  readonly detections: Look | undefined;
}

export type EntryWithTexts = Entry & RegisteredTexts;

/** Which entries; all of them where nothing is said. */
export interface EntryFilter {
  readonly server?: string | undefined;
  readonly kind?: EntryKind | undefined;
  readonly status?: EntryStatus | undefined;
}

/**
 * By server, kind and name. How a server is started is among them only where that is not trusted, or asked for by its kind: there is
 * nothing to be said about it otherwise.
 */
export function listEntries(reader: RegistryReader, { server, kind, status }: EntryFilter): Entry[] {
  const definitions = kind === 'server' ? [] : reader.definitions({ server, kind }).map(toEntry);
  const servers = kind !== undefined && kind !== 'server' ? [] : reader.servers().map(toServerEntry);
  const told = servers.filter((entry) => (server === undefined || entry.server === server) && isTold(entry, kind));
  return [...told, ...definitions].filter((entry) => hasStatus(entry, status)).toSorted(byServer);
}

/** An entry with its texts, as they are at one moment. */
export function readEntry(reader: RegistryReader, { server, kind, name }: Entry): EntryWithTexts | undefined {
  if (kind === 'server')
    return reader
      .servers()
      .map(toServerEntry)
      .find((entry) => entry.server === server);
  const found = reader.definition(server, kind, name);
  return found === undefined ? undefined : { ...toEntry(found), pinnedText: found.pinnedText, seenText: found.seenText };
}

/** `files:read_file`, `files (instructions)`: all in it visible. */
export function entryLabel({ server, kind, name }: Pick<Entry, 'server' | 'kind' | 'name'>): string {
  if (kind === 'server') return `how ${visible(server)} is started`;
  if (kind === 'instructions') return `the instructions of ${visible(server)}`;
  return `${kind === 'tool' ? '' : `${kind.replace('_', ' ')} `}${visible(server)}:${visible(name)}`;
}

/** What differs between what is trusted and what was seen last; undefined where one of them is not known, or not readable. */
export function entryChanges({ pinnedText, seenText }: RegisteredTexts): readonly FieldChange[] | undefined {
  if (pinnedText === undefined || seenText === undefined) return undefined;
  try {
    return diffDefinitions(pinnedText, seenText);
  } catch {
    // No JSON: only an edit of the store can make that.
    return undefined;
  }
}

function toEntry(definition: RegisteredDefinition): Entry {
  return { ...definition, status: statusOf(definition) };
}

function toServerEntry(server: RegisteredServer & RegisteredTexts): EntryWithTexts {
  return { ...server, kind: 'server', name: '', isListed: true, status: statusOf(server), detections: undefined };
}

function statusOf({ pinned, seen }: Pick<RegisteredServer, 'pinned' | 'seen'>): Entry['status'] {
  if (pinned === undefined) return 'new';
  return isPinned(pinned, seen) ? 'pinned' : 'changed';
}

function isTold(entry: Entry, kind: EntryKind | undefined): boolean {
  return kind === 'server' || entry.status !== 'pinned';
}

function hasStatus(entry: Entry, status: EntryStatus | undefined): boolean {
  return status === undefined || (status === 'gone' ? !entry.isListed : entry.status === status);
}

function byServer(a: Entry, b: Entry): number {
  return a.server === b.server ? 0 : a.server < b.server ? -1 : 1;
}
