import { ClawaiError } from '../errors.ts';
import type { Client } from '../clients/client.ts';
import type { LocatedFile } from '../clients/locate.ts';
import { groupConfigs, readConfig, type ConfigGroup } from './files/read-config.ts';
import { readServers, type FoundServer, type FoundServers } from './read-servers.ts';
import { recordedFiles } from './files/recorded-files.ts';
import type { StateFolder } from './files/state-folder.ts';
import type { EntryRecord, FileRecord } from './files/state-record.ts';
import { addressOf, commandOf, isAddress, isSameLaunch, originalOf, type Launch, vouchedLine, unwrapped } from './launch.ts';
import { isPortable } from './portable.ts';
import { NO_ROUTES, type Routes } from './routes.ts';
import { valueOf, weaknessOf } from './weakness.ts';
import { parseWrappedCommand, type CommandLine } from './wrapped-command.ts';

/**
 * How a server stands.
 * - `wrapped`: behind clawai, and what was before is recorded
 * - `unrecorded`: behind clawai, but we don't know since when and what was before: by hand, or the state was lost
 * - `drifted`: recorded as wrapped, and since then somebody gave it another command or URL
 * - `gone`: recorded as wrapped, and since then somebody removed it
 * - `unwrapped`: a process without clawai in front
 * - `remote`: a URL without clawai in front
 * - `other`, `malformed`: nothing that clawai could stand in front of
 */
export type ServerState = 'wrapped' | 'unrecorded' | 'drifted' | 'gone' | 'unwrapped' | 'remote' | 'other' | 'malformed';

export interface ServerStatus {
  readonly pointer: string;
  readonly server: string;
  readonly clients: readonly string[];
  readonly scope: string;
  readonly state: ServerState;
  readonly isDisabled: boolean;
  /** True where it is malformed and some client may start a process from it all the same, e.g. from one of two servers of one name. */
  readonly isDoubtful: boolean;
  /**
   * False where it is wrapped, and what starts clawai is not this installation, or is missing; or its URL leads to another address than
   * the one at which `clawai serve` runs.
   */
  readonly isCurrent: boolean;
  /** Why clawai may not hold your policy although it stands in front, a phrase without full stop. */
  readonly weakness?: string | undefined;
  /** The name by which clawai knows it: the one that its command line gives, otherwise the entry's. */
  readonly name: string;
  /** What the client starts; undefined where that is no process. */
  readonly command: CommandLine | undefined;
  /** Where the client reaches it; undefined where it is a process. */
  readonly url: string | undefined;
  /** Where `clawai serve` reaches it, if that is where the client's URL leads and it is known there. */
  readonly upstream: string | undefined;
  /** More, a phrase without full stop. */
  readonly detail?: string | undefined;
}

export interface FileStatus {
  readonly file: string;
  readonly realFile: string;
  readonly clients: readonly string[];
  readonly servers: readonly ServerStatus[];
  readonly problems: FoundServers['problems'];
  /** Why it can't be read. */
  readonly error: ClawaiError | undefined;
  /** True where our record of it can't be used; unwrapping still works, from the command lines. */
  readonly isRecordDamaged: boolean;
}

export interface StatusRequest {
  /** Every file that the clients at hand read on this machine, from `locateFiles`; those in our records are added. */
  readonly located: readonly LocatedFile[];
  /** All clients that we know. */
  readonly clients: readonly Client[];
  readonly state: StateFolder;
  /** The words that would start this clawai, before `proxy`. */
  readonly launcher: readonly string[];
  /** Of this clawai. */
  readonly version: string;
  /** URLs that lead to `clawai serve`; undefined: nothing is known of any but what the records say. */
  readonly routes?: Routes | undefined;
}

/** How every server of every config stands. Reads, and changes nothing. */
export function readStatus(request: StatusRequest): readonly FileStatus[] {
  const { located, clients, state } = request;
  const { groups, unreadable } = groupConfigs([...located, ...recordedFiles(state.list().records, clients, located)]);
  return [
    ...groups.map((group) => readFileStatus(group, request)),
    ...unreadable.map(({ file, located: files, error }) => ({ ...noServers(file, files), error })),
  ];
}

function readFileStatus(group: ConfigGroup, request: StatusRequest): FileStatus {
  const { located, realFile } = group;
  const empty = { ...noServers(located[0].file, located), realFile };
  try {
    const config = readConfig(located[0].file);
    const found = request.state.read(realFile);
    const record = found.kind === 'record' ? found.record : undefined;
    const { servers, problems } = readServers(config.text, located);
    const gone = problems.length > 0 ? [] : findGone(group, servers, record);
    return {
      ...empty,
      servers: [...servers.map((server) => toStatus(server, { record, hash: config.hash, request })), ...gone.map(goneStatus)],
      problems,
      isRecordDamaged: found.kind === 'damaged',
    };
  } catch (error) {
    if (error instanceof ClawaiError) return { ...empty, error };
    throw error;
  }
}

function noServers(file: string, located: readonly LocatedFile[]): FileStatus {
  const clients = [...new Set(located.map(({ client }) => client.id))];
  return { file, realFile: file, clients, servers: [], problems: [], error: undefined, isRecordDamaged: false };
}

interface Known {
  readonly record: FileRecord | undefined;
  /** SHA-256 of the file as it is. */
  readonly hash: string;
  readonly request: StatusRequest;
}

function toStatus(server: FoundServer, known: Known): ServerStatus {
  const { entry, pointer, found, clients } = server;
  const line = commandOf(server);
  const address = addressOf(server);
  const { routes = NO_ROUTES } = known.request;
  const recorded = known.record?.entries.find((one) => one.pointer === pointer);
  return {
    pointer,
    server: entry.name,
    clients,
    scope: found.location.scope,
    state: stateOf(server, line ?? address, known),
    isDisabled: entry.isDisabled,
    isDoubtful: isDoubtful(server),
    isCurrent: line === undefined ? isReachedAt(address, routes) : isLaunchedBy(line, server, known.request),
    weakness: weaknessOf(server, vouchedLine(recorded)),
    name: nameIn(line) ?? entry.name,
    command: line,
    url: address?.url,
    upstream: address === undefined ? undefined : routes.find(address.url)?.url,
    detail: entry.problem,
  };
}

/** Clients differ in what they make of an entry that says two things. Files that are not the user's to correct don't count. */
function isDoubtful({ entry, found: { location } }: FoundServer): boolean {
  const isTheirs = location.scope === 'managed' || location.isPluginCache === true;
  return entry.kind === 'malformed' && !isTheirs && entry.keys.some((key) => key === 'command' || key === 'transport');
}

function stateOf({ entry, pointer }: FoundServer, launch: Launch | undefined, { record, hash, request }: Known): ServerState {
  if (entry.kind === 'other' || entry.kind === 'malformed') return entry.kind;
  if (launch === undefined) return 'malformed';
  const { routes = NO_ROUTES } = request;
  const known = record?.entries.find((one) => one.pointer === pointer);
  const bare = unwrapped(launch, known, routes);
  if (bare !== undefined) return known !== undefined && isSameLaunch(bare, originalOf(known)) ? 'wrapped' : 'unrecorded';
  if (isAddress(launch) && routes.isDeclared(launch.url)) return 'unrecorded';
  // Bytes that we know with a launch that is the old one: we were ended before we wrote, and nobody else did anything.
  const isOldFile = record?.ours.includes(hash) === true && known !== undefined && isSameLaunch(launch, originalOf(known));
  if (known !== undefined && !isOldFile) return 'drifted';
  return isAddress(launch) ? 'remote' : 'unwrapped';
}

/** True also where nobody knows: `clawai serve` does not run, or the URL is none of ours. */
function isReachedAt(address: Launch | undefined, { origin, find, isDeclared }: Routes): boolean {
  if (address === undefined || !isAddress(address) || origin === undefined) return true;
  return address.url.startsWith(`${origin}/`) || (find(address.url) === undefined && !isDeclared(address.url));
}

function isLaunchedBy(line: CommandLine, { found }: FoundServer, { launcher, version }: StatusRequest): boolean {
  const words = parseWrappedCommand(line)?.launcher;
  if (words !== undefined && found.location.isShared === true && isPortable(words, version)) return true;
  return words === undefined || (words.length === launcher.length && words.every((word, i) => word === launcher[i]));
}

/** The name by which the audit knows a wrapped server. */
function nameIn(line: CommandLine | undefined): string | undefined {
  return line === undefined ? undefined : valueOf(parseWrappedCommand(line)?.flags ?? [], '--server');
}

function findGone(
  { located }: ConfigGroup,
  servers: readonly FoundServer[],
  record: FileRecord | undefined,
): readonly EntryRecord[] {
  const seen = new Set(servers.map(({ pointer }) => pointer));
  return (record?.entries ?? []).filter(
    ({ pointer, client, location }) =>
      !seen.has(pointer) && located.some((file) => file.client.id === client && file.location.id === location),
  );
}

function goneStatus({ pointer, server, client, scope }: EntryRecord): ServerStatus {
  return {
    pointer,
    server,
    clients: [client],
    scope,
    state: 'gone',
    isDisabled: false,
    isDoubtful: false,
    isCurrent: true,
    name: server,
    command: undefined,
    url: undefined,
    upstream: undefined,
  };
}
