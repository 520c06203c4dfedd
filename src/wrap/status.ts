import { ClawaiError } from '../errors.ts';
import { type Client, isTheirs } from '../clients/client.ts';
import type { LocatedFile } from '../clients/locate.ts';
import { groupConfigs, readConfig, type ConfigGroup } from './files/read-config.ts';
import { readServers, type FoundServer, type FoundServers } from './read-servers.ts';
import { type EntryRecord, type FileRecord, recordedFiles } from './files/state-record.ts';
import type { StateFolder } from './files/state-folder.ts';
import { addressOf, commandOf, isAddress, isSameLaunch, originalOf, type Launch, vouchedLine, unwrapped } from './launch.ts';
import { isPortable } from './portable.ts';
import { NO_ROUTES, type Routes } from './routes.ts';
import { valueOf, weaknessOf } from './weakness.ts';
import { parseWrappedCommand, type CommandLine } from './wrapped-command.ts';

/**
 * The state of a server.
 * - `wrapped`: it is behind clawai, and its original launch is recorded
 * - `unrecorded`: it is behind clawai, but its original launch is not recorded: it was wrapped by hand, or the state was lost
 * - `drifted`: it is recorded as wrapped, but somebody gave it another command or URL
 * - `gone`: it is recorded as wrapped, but somebody removed it
 * - `unwrapped`: a process without clawai in front
 * - `remote`: a URL without clawai in front
 * - `other`, `malformed`: clawai can't stand in front of it
 */
export type ServerState = 'wrapped' | 'unrecorded' | 'drifted' | 'gone' | 'unwrapped' | 'remote' | 'other' | 'malformed';

export interface ServerStatus {
  readonly pointer: string;
  readonly server: string;
  readonly clients: readonly string[];
  readonly scope: string;
  readonly state: ServerState;
  readonly isDisabled: boolean;
  /** True if it is malformed but some client may still start a process from it, e.g. from one of two servers of one name. */
  readonly isDoubtful: boolean;
  /**
   * False if it is wrapped, but its launcher is not this installation, or is missing; or its URL leads to another address than that of the
   * running `clawai serve`.
   */
  readonly isCurrent: boolean;
  /** The reason why clawai may not enforce your policy, a phrase without full stop. */
  readonly weakness?: string | undefined;
  /** The name by which clawai knows it: that of its command line, else the entry's. */
  readonly name: string;
  /** The client's command line; undefined if it is not a process. */
  readonly command: CommandLine | undefined;
  /** The client's URL; undefined if it is a process. */
  readonly url: string | undefined;
  /** The server's own URL, if the client's URL leads to `clawai serve`, which knows it. */
  readonly upstream: string | undefined;
  /** Details, a phrase without full stop. */
  readonly detail?: string | undefined;
}

export interface FileStatus {
  readonly file: string;
  readonly realFile: string;
  readonly clients: readonly string[];
  readonly servers: readonly ServerStatus[];
  readonly problems: FoundServers['problems'];
  /** True if it is an administrator's or a plugin's, so that nobody here can mend it. */
  readonly isTheirs: boolean;
  /** The error of reading it. */
  readonly error: ClawaiError | undefined;
  /** True if our record of it is damaged; unwrapping still works, from the command lines. */
  readonly isRecordDamaged: boolean;
}

export interface StatusRequest {
  /** All files that the present clients read on this machine, from `locateFiles`; those in our records are added. */
  readonly located: readonly LocatedFile[];
  /** All known clients. */
  readonly clients: readonly Client[];
  readonly state: StateFolder;
  /** The words that would start this clawai, before `proxy`. */
  readonly launcher: readonly string[];
  /** This clawai's version. */
  readonly version: string;
  /** URLs that lead to `clawai serve`; undefined if only the records are known. */
  readonly routes?: Routes | undefined;
}

/** Reads the status of every server in every config, and changes nothing. */
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
  const theirs = located.every(({ location }) => isTheirs(location));
  return { file, realFile: file, clients, servers: [], problems: [], isTheirs: theirs, error: undefined, isRecordDamaged: false };
}

interface Known {
  readonly record: FileRecord | undefined;
  /** SHA-256 of the file's present bytes. */
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

/** Clients differ in how they read a contradictory entry. Files that the user can't correct don't count. */
function isDoubtful({ entry, found: { location } }: FoundServer): boolean {
  return (
    entry.kind === 'malformed' && !isTheirs(location) && entry.keys.some((key) => ['command', 'cmd', 'transport'].includes(key))
  );
}

function stateOf({ entry, pointer }: FoundServer, launch: Launch | undefined, { record, hash, request }: Known): ServerState {
  if (entry.kind === 'other' || entry.kind === 'malformed') return entry.kind;
  if (launch === undefined) return 'malformed';
  const { routes = NO_ROUTES } = request;
  const known = record?.entries.find((one) => one.pointer === pointer);
  const bare = unwrapped(launch, known, routes);
  if (bare !== undefined) return known !== undefined && isSameLaunch(bare, originalOf(known)) ? 'wrapped' : 'unrecorded';
  if (isAddress(launch) && routes.isDeclared(launch.url)) return 'unrecorded';
  // The bytes are known, but the launch is the old one: we stopped before writing, and nobody else changed the file.
  const isOldFile = record?.ours.includes(hash) === true && known !== undefined && isSameLaunch(launch, originalOf(known));
  if (known !== undefined && !isOldFile) return 'drifted';
  return isAddress(launch) ? 'remote' : 'unwrapped';
}

/** True also if it is unknown: `clawai serve` does not run, or the URL is not ours. */
function isReachedAt(address: Launch | undefined, { origin, find, isDeclared }: Routes): boolean {
  if (address === undefined || !isAddress(address) || origin === undefined) return true;
  return address.url.startsWith(`${origin}/`) || (find(address.url) === undefined && !isDeclared(address.url));
}

function isLaunchedBy(line: CommandLine, { found }: FoundServer, { launcher, version }: StatusRequest): boolean {
  const words = parseWrappedCommand(line)?.launcher;
  if (words !== undefined && found.location.isShared === true && isPortable(words, version)) return true;
  return words === undefined || (words.length === launcher.length && words.every((word, i) => word === launcher[i]));
}

/** Returns the audit's name of a wrapped server. */
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
