import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { ClawaiError } from '../../errors.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/config-file.ts';
import { openRegistryReader } from '../../store/reading/read-open.ts';
import { storeFile } from '../../store/private-file.ts';
import { OWN_NAME } from '../../transport/listing/server-lister.ts';
import { removeLeftovers } from '../../wrap/files/read-config.ts';
import { answersIn, type SkipReason } from '../../wrap/remote-answer.ts';
import { recordedFiles } from '../../wrap/files/state-record.ts';
import { type FileStatus, readStatus, type ServerStatus } from '../../wrap/status.ts';
import { planWrap, type WrapRequest } from '../../wrap/wrap.ts';
import { valueOf } from '../../wrap/weakness.ts';
import { parseWrappedCommand } from '../../wrap/wrapped-command.ts';
import { lookForRemote, type RemoteView } from './wrap-routes.ts';
import type { Surroundings } from './wrap-surroundings.ts';
import { type EntryLaunch, EntryLaunches, projectFolder, readPinning } from '../mcp/registry/entry-launch.ts';
import { CLOSABLE, elsewhereOf, findWays, type Way } from './ways-out.ts';

/** The state of a server, and whether anybody can change it. */
export interface Standing extends ServerStatus, EntryLaunch {
  readonly file: string;
  readonly realFile: string;
  /** The reason of `clawai wrap --all` to leave it alone although nothing stands in front of it. */
  readonly obstacle?: SkipReason | undefined;
  /** The policy that its command line names; undefined where it is the one that `clawai proxy` finds. */
  readonly policy: string | undefined;
  /** Ways to wrap it, where it is not, or not by this clawai; none where only an edit of the entry helps, and why where that is known. */
  readonly ways: readonly Way[];
  readonly why?: string | undefined;
  /** The project in which to call them; undefined where that is here. */
  readonly elsewhere: string | undefined;
}

export interface StandingFile extends Omit<FileStatus, 'servers'> {
  readonly servers: readonly Standing[];
  /** True for a file that we have a record of, and that is not there any more. */
  readonly isGone: boolean;
}

export interface Standings {
  readonly files: readonly StandingFile[];
  /** The store that was asked when servers were last seen. */
  readonly store: string | undefined;
  /** The folder of clawai's state; undefined if the config that names it can't be read. */
  readonly stateDir: string | undefined;
  /** True where your own config says mode = "observe": nothing is denied, however servers are wrapped. */
  readonly isObserving: boolean;
  /** The error that kept the store from being asked. */
  readonly storeError: ClawaiError | undefined;
  readonly remote: RemoteView;
}

/** Reads the state of every server on this machine. Changes nothing, but removes what killed commands left. */
export async function readStandings(around: Surroundings): Promise<Standings> {
  const { located, clients, state, launcher, version } = around;
  removeLeftovers(located, state);
  const seen = await readKnown();
  const remote = await lookForRemote(true);
  const { routes } = remote;
  const status = readStatus({ located, clients, state, launcher: launcher.words, version, routes });
  const all = [...located, ...recordedFiles(state.list().records, clients, located)];
  const request = { ...around, located: all, launcher: launcher.words, selection: {}, routes, answerTo: answersIn(remote.left) };
  const { obstacles, errors } = findObstacles(request);
  const files = status.map((file) => ({
    ...file,
    error: file.error ?? errors.get(file.realFile),
    isGone: file.error !== undefined && isGone(file.file),
    servers: file.servers.map((server): Standing => ({
      ...server,
      ...launchOf(server, file.file, seen.launches),
      file: file.file,
      realFile: file.realFile,
      obstacle: obstacles.get(toKey(file.realFile, server.pointer)),
      policy: policyOf(server),
      ways: [],
      elsewhere: elsewhereOf(
        all.find((one) => one.file === file.file),
        located,
      ),
    })),
  }));
  const wanting = files.flatMap(({ servers }) => servers.filter((server) => isOpen(server) || !server.isCurrent));
  const ways = findWays(request, wanting);
  const led = files.map((file) => ({
    ...file,
    servers: file.servers.map((server) => ({ ...server, ...ways.get(server) })),
  }));
  return {
    files: led,
    store: seen.store,
    stateDir: seen.stateDir,
    isObserving: seen.isObserving,
    storeError: seen.error,
    remote,
  };
}

/** Tells whether a server starts, or is reached, without a clawai that enforces, although one could be in front; true if in doubt. */
export function isOpen({ state, obstacle, isDoubtful, weakness }: Standing): boolean {
  if (obstacle === 'own-entry') return false;
  if (state === 'drifted' || isDoubtful || weakness !== undefined) return true;
  const isBare = state === 'unwrapped' || state === 'remote';
  return isBare && (obstacle === undefined || CLOSABLE.has(obstacle));
}

/** Tells whether its client starts it, or reaches it, and every call of it is denied. */
export function isDenied({ obstacle, refusal }: Standing): boolean {
  return refusal !== undefined && obstacle !== 'own-entry';
}

/** No client has used it through clawai, whichever it was. */
export function isUnseen(server: Standing): boolean {
  return server.lastSeen === undefined && (server.seenBy === undefined || isListedByServe(server));
}

/** Tells whether nobody but `clawai serve` has used it, which lists every server that it reaches. */
export function isListedByServe({ seenBy, url }: Standing): boolean {
  return seenBy?.client === OWN_NAME && url !== undefined;
}

/** Tells whether the fault is in clawai's own config, and not in its store. */
export function isOfConfig({ code }: ClawaiError): boolean {
  return code.startsWith('config_');
}

/** Tells whether nothing has that name, not even a link that leads nowhere. */
export function isGone(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    // A folder on the way that we may not look into: nobody knows.
    return false;
  }
}

/** Reasons of `wrap --all` to leave servers alone, and errors that keep it from changing a whole file. */
function findObstacles(request: WrapRequest): {
  readonly obstacles: ReadonlyMap<string, SkipReason>;
  readonly errors: ReadonlyMap<string, ClawaiError>;
} {
  const outcomes = planWrap(request);
  const obstacles = outcomes.flatMap(({ realFile, report }) =>
    (report?.entries ?? []).flatMap(({ pointer, reason }) =>
      reason === undefined ? [] : [[toKey(realFile, pointer), reason] as const],
    ),
  );
  const errors = outcomes.flatMap(({ realFile, error }) => (error === undefined ? [] : [[realFile, error] as const]));
  return { obstacles: new Map(obstacles), errors: new Map(errors) };
}

function toKey(realFile: string, pointer: string): string {
  return `${realFile}\0${pointer}`;
}

function policyOf({ command }: ServerStatus): string | undefined {
  return command === undefined ? undefined : valueOf(parseWrappedCommand(command)?.flags ?? [], '--policy');
}

/** The registry's facts on an entry that leads through clawai. */
function launchOf(server: ServerStatus, file: string, launches: EntryLaunches | undefined): EntryLaunch {
  const { command, name, clients, state } = server;
  if (launches === undefined || (state !== 'wrapped' && state !== 'unrecorded')) return { lastSeen: undefined };
  const started = command === undefined ? undefined : parseWrappedCommand(command)?.server;
  const words = started === undefined ? undefined : ([started.command, ...started.args] as const);
  return launches.of({ server: name, clients, command: words, project: projectFolder({ ...server, file }) });
}

interface Known {
  readonly stateDir: string | undefined;
  readonly isObserving: boolean;
  /** Undefined where there is no store yet, or it can't be read. */
  readonly launches: EntryLaunches | undefined;
  readonly store: string | undefined;
  readonly error: ClawaiError | undefined;
}

/** A store that can't be read is no reason not to say how the configs stand. */
async function readKnown(): Promise<Known> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const known = { stateDir: undefined, isObserving: false, launches: undefined, store: undefined, error: undefined };
  let config: Config | undefined;
  try {
    config = await loadConfig(machine);
    const { stateDir } = config;
    const found = { ...known, stateDir, isObserving: config.mode === 'observe', store: storeFile(stateDir) };
    const reader = openRegistryReader(found.store);
    if (reader === undefined) return found;
    try {
      return { ...found, launches: new EntryLaunches(reader, await readPinning()) };
    } finally {
      reader.close();
    }
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    if (config === undefined) return { ...known, error };
    const { stateDir } = config;
    return { ...known, stateDir, isObserving: config.mode === 'observe', store: storeFile(stateDir), error };
  }
}
