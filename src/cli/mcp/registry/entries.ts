import type { Look } from '../../../core/detect/look.ts';
import { DEFINITION_KINDS, type FieldChange } from '../../../core/registry/definition.ts';
import { diffDefinitions } from '../../../core/registry/diff.ts';
import { shortFingerprint } from '../../../core/registry/fingerprint.ts';
import { nearestLaunch } from '../../../core/registry/nearest-launch.ts';
import { isPinned } from '../../../core/registry/pin-status.ts';
import type { PinScope } from '../../../gate/registry-port.ts';
import type { RegisteredDefinition, RegisteredServer, RegisteredTexts, RegistryReader } from '../../../store/registry-reader.ts';
import { visible } from '../../terminal/printable.ts';

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
  /** The beginning of a launch identity's fingerprint: what is known of that launch. */
  readonly launch?: string | undefined;
  readonly kind?: EntryKind | undefined;
  readonly status?: EntryStatus | undefined;
}

/** A denial names it, and so does `clawai mcp registry list --kind server`. */
export const LAUNCH_FLAG = {
  type: 'string',
  hint: 'HASH',
  description: 'Of --server, the launch whose fingerprint begins so, with all that it declares.',
} as const;

/**
 * By server, kind and name. How a server is started is among them only where that is not trusted, or asked for by its kind: there is
 * nothing to be said about it otherwise.
 */
export function listEntries(reader: RegistryReader, { server: word, launch, kind, status }: EntryFilter): Entry[] {
  const server = word === undefined ? undefined : findServer(reader, word);
  const definitions = kind === 'server' ? [] : reader.definitions({ server, kind }).map(toEntry);
  const servers = kind !== undefined && kind !== 'server' ? [] : readServers(reader);
  const told = servers.filter((entry) => (server === undefined || entry.server === server) && isTold(entry, kind));
  const shared = launch === undefined ? new Map<string, string>() : readShared(reader);
  const isAsked = (entry: Entry): boolean => hasStatus(entry, status) && isOfLaunch(entry, launch, shared);
  return [...told, ...definitions].filter(isAsked).toSorted(byServer);
}

/** An entry with its texts, as they are at one moment. */
export function readEntry(reader: RegistryReader, { server, launch, kind, name }: Entry): EntryWithTexts | undefined {
  if (kind === 'server') return readServers(reader).find((entry) => entry.server === server && entry.launch === launch);
  const found = reader.definition(scopeOf({ server, launch }), kind, name);
  return found === undefined ? undefined : { ...toEntry(found), pinnedText: found.pinnedText, seenText: found.seenText };
}

/** Where the pins of an entry are kept. */
export function scopeOf({ server, launch }: Pick<Entry, 'server' | 'launch'>): PinScope {
  return launch === undefined ? server : { server, launch };
}

/** `files`, or `files (1a2b3c4d)` for what is of one launch alone: all in it visible. */
export function serverLabel({ server, launch }: Pick<Entry, 'server' | 'launch'>): string {
  return launch === undefined ? visible(server) : `${visible(server)} (${visible(shortFingerprint(launch))})`;
}

/** `files:read_file`, `files (instructions)`: all in it visible. */
export function entryLabel(entry: Pick<Entry, 'server' | 'launch' | 'kind' | 'name'>): string {
  const { kind, name } = entry;
  const server = serverLabel(entry);
  if (kind === 'server') return `how ${server} is started`;
  if (kind === 'instructions') return `the instructions of ${server}`;
  return `${kind === 'tool' ? '' : `${kind.replace('_', ' ')} `}${server}:${visible(name)}`;
}

/** The command that shows an entry and trusts it. Names are quoted as a shell takes them. */
export function commandFor({ server, launch, kind, name, status, seen }: Entry): string {
  const refused = launch ?? (kind === 'server' && status === 'new' ? seen : undefined);
  if (refused !== undefined) return `clawai approve ${launchFlags(server, refused)}`;
  if (kind === 'server' || kind === 'instructions') return `clawai approve ${serverFlag(server)} --all`;
  const word = quote(`${server}:${name}`);
  return `clawai approve ${kind === 'tool' ? '' : `--kind ${kind} `}${word.startsWith('-') ? '-- ' : ''}${word}`;
}

/** One launch of a server, for a command line. */
export function launchFlags(server: string, fingerprint: string): string {
  return `${serverFlag(server)} --launch ${shortFingerprint(fingerprint)}`;
}

/** A server, for a command line. */
export function serverFlag(server: string): string {
  const word = quote(server);
  return word.startsWith('-') ? `--server=${word}` : `--server ${word}`;
}

function quote(name: string): string {
  const word = visible(name);
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
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

/** A server's name may be typed as it is shown, with the numbers of what can't be seen. */
function findServer(reader: RegistryReader, word: string): string {
  const names = word.includes('\\u{') ? reader.servers().map(({ server }) => server) : [];
  return names.includes(word) ? word : (names.find((name) => visible(name) === word) ?? word);
}

function toEntry(definition: RegisteredDefinition): Entry {
  return { ...definition, status: statusOf(definition) };
}

/** How servers are started. A launch that nobody trusts is shown beside the trusted one of its name that is most like it. */
function readServers(reader: RegistryReader): EntryWithTexts[] {
  const servers = reader.servers();
  return servers.map((server) => {
    const trusted = servers.flatMap(({ server: name, pinned, pinnedText }) =>
      name === server.server && pinned !== undefined && pinnedText !== undefined
        ? [{ fingerprint: pinned, text: pinnedText }]
        : [],
    );
    const nearest = server.pinned === undefined ? nearestLaunch(trusted, server.seenText ?? 'null')?.previous : undefined;
    const pinnedText = server.pinnedText ?? trusted.find(({ fingerprint }) => fingerprint === nearest)?.text;
    return { ...server, pinnedText, kind: 'server', name: '', isListed: true, status: statusOf(server), detections: undefined };
  });
}

/** Of launches that share their pins the last one, by server. */
function readShared(reader: RegistryReader): ReadonlyMap<string, string> {
  return new Map(reader.servers().flatMap(({ server, launch, seen }) => (launch === undefined ? [[server, seen]] : [])));
}

/** Also what the shared launches have is of one launch, as long as that was the last one. */
function isOfLaunch({ launch, server }: Entry, wanted: string | undefined, shared: ReadonlyMap<string, string>): boolean {
  if (wanted === undefined) return true;
  const fingerprint = launch ?? shared.get(server);
  return fingerprint !== undefined && fingerprint.replace(/^sha256:/, '').startsWith(wanted.replace(/^sha256:/, ''));
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
