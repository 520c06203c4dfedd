import { usageError } from '../../command.ts';
import { homedir } from 'node:os';
import { loadConfig } from '../../../config/config-file.ts';
import type { ScanResult } from '../../../core/detect/types.ts';
import { DEFINITION_KINDS, type FieldChange } from '../../../core/registry/definition.ts';
import { diffDefinitions, nearestLaunch } from '../../../core/registry/diff.ts';
import { shortFingerprint } from '../../../core/registry/fingerprint.ts';
import { isPinned } from '../../../core/registry/trust.ts';

import type { PinScope } from '../../../gate/ports/registry-port.ts';
import type { WriterOptions } from '../../../store/open-writer.ts';
import { openRegistryReader } from '../../../store/reading/read-open.ts';
import type {
  RegisteredDefinition,
  RegisteredServer,
  RegisteredTexts,
  RegistryReader,
} from '../../../store/reading/registry-reader.ts';
import { storeFile } from '../../../store/private-file.ts';
import { note } from '../../terminal/notes.ts';
import { visible } from '../../terminal/text.ts';

/** Kinds of entries: the definitions of a server, and the way in which it is started or reached. */
export const ENTRY_KINDS = [...DEFINITION_KINDS, 'server'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const ENTRY_STATUSES = ['pinned', 'changed', 'new', 'gone'] as const;
type EntryStatus = (typeof ENTRY_STATUSES)[number];

/** A definition or launch of a server, and whether it is trusted. */
export interface Entry extends RegisteredServer {
  readonly kind: EntryKind;
  /** Empty for instructions, and for the way in which a server is started. */
  readonly name: string;
  readonly isListed: boolean;
  readonly status: Exclude<EntryStatus, 'gone'>;
  /** Detections in the version seen last; undefined if it was not inspected. */
  readonly detections: ScanResult | undefined;
}

export type EntryWithTexts = Entry & RegisteredTexts;

/** A filter of entries; without any field, all of them. */
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
  description: 'With --server: only the launch whose fingerprint begins with HASH, and what it declares.',
} as const;

/**
 * Lists entries by server, kind and name. A launch is among them only if it is not trusted, or asked for by its kind: there is nothing to
 * be said about it otherwise.
 */
export function listEntries(reader: RegistryReader, { server: word, launch, kind, status }: EntryFilter): Entry[] {
  const server = word === undefined ? undefined : findServer(reader, word);
  const definitions = kind === 'server' ? [] : reader.definitions({ server, kind }).map(toEntry);
  const servers = kind !== undefined && kind !== 'server' ? [] : readServers(reader);
  const shown = servers.filter((entry) => (server === undefined || entry.server === server) && isShown(entry, kind));
  const shared = launch === undefined ? new Map<string, string>() : readShared(reader);
  const isAsked = (entry: Entry): boolean => hasStatus(entry, status) && isOfLaunch(entry, launch, shared);
  return [...shown, ...definitions].filter(isAsked).toSorted(byServer);
}

/** An entry with its texts, as they are at one moment. */
export function readEntry(reader: RegistryReader, { server, launch, kind, name }: Entry): EntryWithTexts | undefined {
  if (kind === 'server') return readServers(reader).find((entry) => entry.server === server && entry.launch === launch);
  const found = reader.definition(scopeOf({ server, launch }), kind, name);
  return found === undefined ? undefined : { ...toEntry(found), pinnedText: found.pinnedText, seenText: found.seenText };
}

/** The scope of an entry's pins. */
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

/** Differences between the trusted text and the one seen last; undefined if either is unknown or unreadable. */
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

/** Reads launches of servers. One that nobody trusts is shown beside the trusted one of its name that is most like it. */
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

/** The last of the launches that share their pins, by server. */
function readShared(reader: RegistryReader): ReadonlyMap<string, string> {
  return new Map(reader.servers().flatMap(({ server, launch, seen }) => (launch === undefined ? [[server, seen]] : [])));
}

/** Tells whether the entry is of that launch. Entries of shared launches are of the last one. */
function isOfLaunch({ launch, server }: Entry, wanted: string | undefined, shared: ReadonlyMap<string, string>): boolean {
  if (wanted === undefined) return true;
  const fingerprint = launch ?? shared.get(server);
  return fingerprint !== undefined && fingerprint.replace(/^sha256:/, '').startsWith(wanted.replace(/^sha256:/, ''));
}

function statusOf({ pinned, seen }: Pick<RegisteredServer, 'pinned' | 'seen'>): Entry['status'] {
  if (pinned === undefined) return 'new';
  return isPinned(pinned, seen) ? 'pinned' : 'changed';
}

function isShown(entry: Entry, kind: EntryKind | undefined): boolean {
  return kind === 'server' || entry.status !== 'pinned';
}

function hasStatus(entry: Entry, status: EntryStatus | undefined): boolean {
  return status === undefined || (status === 'gone' ? !entry.isListed : entry.status === status);
}

function byServer(a: Entry, b: Entry): number {
  return a.server === b.server ? 0 : a.server < b.server ? -1 : 1;
}

/**
 * The entries that a person means by `SERVER:NAME`; `SERVER` or `SERVER:` where its kind has no name. Names may be typed as they are
 * shown, with the numbers of what can't be seen.
 *
 * @returns one for each launch of the server that has pins of its own, and what the others share in front; none where no server has listed it
 * @throws ClawaiError `usage` where several names are meant
 */
export function findEntries(reader: RegistryReader, word: string, filter: EntryFilter): readonly Entry[] {
  const found = listEntries(reader, { ...filter, kind: filter.kind ?? 'tool' }).filter((entry) => isMeant(entry, word));
  if (found.some(({ server, name }) => server !== found[0]?.server || name !== found[0].name)) {
    const named = found.map((entry) => `${visible(entry.server)} ${visible(entry.name)}`).join(', ');
    throw usageError(`${JSON.stringify(word)} may mean several: ${named}`, 'say which with --server');
  }
  return found;
}

/** Says why nothing was found, and what may be meant. */
export function describeMissing(reader: RegistryReader, word: string, { server, kind }: EntryFilter): string {
  const others = new Set<EntryKind>(
    listEntries(reader, { server })
      .filter((entry) => entry.kind !== 'server' && isMeant(entry, word))
      .map((entry) => entry.kind),
  );
  const shown = visible(word);
  if (others.size > 0)
    return `no server has listed a ${kind ?? 'tool'} ${shown}; did you mean --kind ${[...others].join(' or ')}?`;
  if (!word.includes(':') && kind !== 'server' && kind !== 'instructions')
    return `${shown} is no SERVER:NAME, as in files:read_file`;
  return `no server has listed ${kind === undefined ? '' : `${kind} `}${shown}; clawai mcp registry list shows what they have`;
}

function isMeant(entry: Entry, word: string): boolean {
  const { server, kind, name } = entry;
  if ((kind === 'server' || kind === 'instructions') && (word === server || word === visible(server))) return true;
  const full = `${server}:${name}`;
  return word === full || word === visible(full);
}

interface OpenedRegistry {
  /** Undefined where there is none yet. */
  readonly reader: RegistryReader | undefined;
  /** Options for changes of the registry. */
  readonly writer: WriterOptions;
}

/** The rule of the first use, told if nothing is known yet. */
const FIRST_USE = 'what a server lists first is trusted then, unless the policy says trust_first_use = false';

/** The registry in the store that `clawai proxy` writes with this config; none is made. Throws ClawaiError `config_*` and `store_*`. */
export async function openRegistry(config: string | undefined): Promise<OpenedRegistry> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const { stateDir, audit } = await loadConfig({ flag: config, ...machine });
  const file = storeFile(stateDir);
  return { reader: openRegistryReader(file), writer: { file, sync: audit.sync } };
}

/** Says on stderr that there is nothing, and what that means. A store that was lost is one that never was. */
export function sayEmpty({ reader, writer }: OpenedRegistry): void {
  const where = reader === undefined ? `: there is no registry at ${writer.file}` : '';
  note(`no server has listed anything yet${where}`);
  note(FIRST_USE);
}
