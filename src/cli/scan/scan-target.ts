import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { readConfig, groupConfigs, type ConfigGroup } from '../../wrap/files/read-config.ts';
import { commandOf } from '../../wrap/launch.ts';
import { type FoundServer, readServers } from '../../wrap/read-servers.ts';
import type { Routes } from '../../wrap/routes.ts';
import { valueOf } from '../../wrap/weakness.ts';
import { innermost, parseWrappedCommand } from '../../wrap/wrapped-command.ts';
import { ClawaiError } from '../../errors.ts';
import type { EntryPlace, Looked, ScanLaunch } from '../../scan/scanned.ts';
import { projectFolder } from '../mcp/registry/entry-launch.ts';
import { clientName, type Surroundings } from '../wrap/wrap-surroundings.ts';
import { fillIn } from './fill-in.ts';

type NotLooked = Extract<Looked, { kind: 'not' }>;

/** A server of a config, without any clawai in front of it. */
export interface ScanTarget {
  readonly name: string;
  /** The name under which the registry knows it. */
  readonly recordName: string;
  readonly clients: readonly string[];
  readonly places: readonly [EntryPlace, ...EntryPlace[]];
  /** As the entry has it, for judging; placeholders stand as they are. */
  readonly launch: ScanLaunch | undefined;
  /** The folder in which alone the entry counts. */
  readonly project: string | undefined;
  /** The launch to start or reach it by, or why that is not possible. */
  readonly start: StartableLaunch | NotLooked;
}

export interface StartableLaunch {
  readonly kind: 'startable';
  readonly launch: ScanLaunch;
  readonly cwd: string;
}

/** A config that was read, or the reason why it could not be. */
export interface TargetFile {
  readonly file: string;
  readonly realFile: string;
  readonly clients: readonly string[];
  readonly problem?: string | undefined;
}

/** Finds the servers in the configs of all clients; entries of several clients that start the same are one. */
export function findTargets(
  { located }: Pick<Surroundings, 'located'>,
  routes: Routes,
): { readonly targets: readonly ScanTarget[]; readonly files: readonly TargetFile[] } {
  const { groups, unreadable } = groupConfigs(located);
  const found = new Map<string, ScanTarget>();
  const files: TargetFile[] = unreadable.map(({ file, located: all, error }) => ({
    file,
    realFile: file,
    clients: clientsOf(all),
    problem: error.message,
  }));
  for (const group of groups) {
    const { servers, problem } = readGroup(group);
    files.push({ file: group.located[0].file, realFile: group.realFile, clients: clientsOf(group.located), problem });
    for (const server of servers) {
      const target = toTarget(server, routes);
      const key = JSON.stringify([target.name, target.recordName, target.launch, target.project, target.start]);
      const known = found.get(key);
      if (known === undefined) found.set(key, target);
      else {
        const clients = [...new Set([...known.clients, ...target.clients])];
        found.set(key, { ...known, clients, places: [...known.places, ...target.places] });
      }
    }
  }
  return { targets: [...found.values()], files };
}

function clientsOf(located: ConfigGroup['located'] | readonly ConfigGroup['located'][number][]): readonly string[] {
  return [...new Set(located.map(({ client }) => client.id))];
}

function readGroup(group: ConfigGroup): { readonly servers: readonly FoundServer[]; readonly problem?: string } {
  const [{ file }] = group.located;
  try {
    const { servers, problems } = readServers(readConfig(file).text, group.located);
    const [first] = problems;
    if (first === undefined) return { servers };
    const { message, line, column } = first.problem;
    return { servers, problem: `${clientName(first.client)} cannot read it, at ${line}:${column}: ${message}` };
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    return { servers: [], problem: error.message };
  }
}

function toTarget(server: FoundServer, routes: Routes): ScanTarget {
  const { entry, pointer, found, clients } = server;
  const line = commandOf(server);
  const flags = line === undefined ? [] : (parseWrappedCommand(line)?.flags ?? []);
  const project = projectFolder({ scope: found.location.scope, file: found.file, pointer });
  const launch = launchOf(server, routes);
  const place = { file: found.file, line: entry.line, pointer, isShared: found.location.isShared === true };
  return {
    name: entry.name,
    recordName: valueOf(flags, '--server') ?? entry.name,
    clients,
    places: [place],
    launch,
    project,
    start: toStart(server, launch, project),
  };
}

/** The launch of the server itself, whatever stands in front of it. */
function launchOf(server: FoundServer, routes: Routes): ScanLaunch | undefined {
  const { entry } = server;
  const line = commandOf(server);
  if (line !== undefined) {
    const { command, args } = innermost(line);
    return { kind: 'command', words: [command, ...args], env: entry.env ?? {} };
  }
  if (entry.kind !== 'remote' || entry.url === undefined) return undefined;
  const url = routes.find(entry.url)?.url ?? entry.url;
  return { kind: 'url', url, headers: entry.headers ?? {} };
}

function toStart(
  { entry }: FoundServer,
  launch: ScanLaunch | undefined,
  project: string | undefined,
): StartableLaunch | NotLooked {
  const not = (why: string, todo: string): NotLooked => ({ kind: 'not', why, todo });
  if (launch === undefined) return not(entry.problem ?? 'its entry says nothing that could be started', 'correct the entry');
  if (entry.isDisabled) return { ...not('its client has it switched off', 'remove it if nobody needs it'), isOff: true };
  const home = homedir();
  const filled = fillIn({ launch, cwd: entry.cwd ?? project ?? home }, { env: process.env, project, home });
  if ('missing' in filled) {
    const name = /^\$?\{(?:env:)?([A-Za-z_]\w*)\}$/.exec(filled.missing)?.[1];
    const record = 'let its client start it behind clawai once';
    return not(
      `only its client knows ${filled.missing}`,
      name === undefined ? record : `set ${name} for this command, or ${record}`,
    );
  }
  const { launch: whole, cwd } = filled;
  const words = whole.kind === 'command' ? [...whole.words, ...Object.entries(whole.env).flat(), cwd] : [];
  if (words.some((word) => word.includes('\0'))) return not('its entry has a NUL, which no system accepts', 'correct the entry');
  return { kind: 'startable', launch: whole, cwd: isAbsolute(cwd) ? cwd : resolve(project ?? home, cwd) };
}
