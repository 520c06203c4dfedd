import { contradiction, usageError } from '../command.ts';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Scope } from '../../clients/client.ts';
import { CLIENTS } from '../../clients/clients.ts';
import { type LocatedFile, type LocatedPolicy, locateFiles, locatePolicies, presentClients } from '../../clients/locate.ts';
import { loadFormats } from '../../clients/text.ts';
import { stateDirectory } from '../../host/directories.ts';
import { suggestName } from '../../suggest.ts';
import { findLauncher, type Launcher, ownInstallation } from '../../wrap/launcher.ts';
import type { Selection } from '../../wrap/read-servers.ts';
import { askOnce, type IsTracked } from '../../wrap/files/is-tracked.ts';
import { StateFolder } from '../../wrap/files/state-folder.ts';
import { recordedFiles } from '../../wrap/files/state-record.ts';
import { VERSION } from '../machine/version.ts';
import { tryRealPath } from '../../host/real-path.ts';

/** Everything that commands on clients' configs work on: this machine, this user, and the project in which they were called. */
export interface Surroundings {
  readonly clients: typeof CLIENTS;
  readonly located: readonly LocatedFile[];
  readonly policies: readonly LocatedPolicy[];
  readonly state: StateFolder;
  readonly launcher: Launcher;
  /** Ids of the clients of which there is any trace. */
  readonly present: ReadonlySet<string>;
  readonly isTracked: IsTracked;
  readonly version: string;
}

/** Looks around, and loads the parsers that these files need; changes nothing. */
export async function lookAround(cwd = process.cwd()): Promise<Surroundings> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const located = locateFiles(CLIENTS, machine, projectFolders(cwd, machine.home));
  // The state folder does not depend on the config, so that undoing works whatever became of that.
  const state = new StateFolder(join(stateDirectory(machine), 'wrap'));
  const files = [...located, ...recordedFiles(state.list().records, CLIENTS, located)];
  const policies = locatePolicies(CLIENTS, machine);
  const syntaxes = [...files.map(({ location }) => location.syntax), ...policies.map(({ policyFile }) => policyFile.syntax)];
  await loadFormats(syntaxes.filter((syntax) => syntax !== 'plist'));
  return {
    clients: CLIENTS,
    located,
    policies,
    state,
    launcher: findLauncher(ownInstallation()),
    present: presentClients(CLIENTS, machine),
    isTracked: askOnce(),
    version: VERSION,
  };
}

/**
 * The folders in which clients that are started here look for a project's config: this one and those above it in its repository. If it is in
 * none, those above it in the user's home; folders beyond are perhaps somebody else's.
 */
export function projectFolders(cwd: string, home: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; !existsSync(join(folder, '.git')); folders.push(folder)) {
    const parent = dirname(folder);
    if (parent === folder) {
      const end = folders.indexOf(tryRealPath(home) ?? home);
      return end === -1 ? [cwd] : folders.slice(0, Math.max(end, 1));
    }
    folder = parent;
  }
  return folders;
}

/** Flags that choose servers, as wrap and unwrap have them. */
export const SELECTION_FLAGS = {
  all: { type: 'boolean', description: 'All servers.' },
  client: { type: 'string', hint: 'CLIENT', description: 'Only servers of this client, such as claude-code or cursor.' },
} as const;

interface Choice {
  readonly words: readonly string[];
  readonly client: string | undefined;
  readonly scope?: Scope | undefined;
}

/** The selection of servers. Throws ClawaiError `usage` for a client that we don't know. */
export function toSelection({ words, client, scope }: Choice): Selection {
  const ids = CLIENTS.map(({ id }) => id);
  if (client !== undefined && !ids.includes(client)) {
    const meant = suggestName(client, ids) ?? CLIENTS.find(({ name }) => name.toLowerCase() === client.toLowerCase())?.id;
    throw usageError(
      `--client: ${JSON.stringify(client)} is unknown`,
      meant === undefined ? `clients: ${ids.join(', ')}` : `did you mean ${meant}?`,
    );
  }
  return {
    servers: words.length === 0 ? undefined : words,
    scopes: scope === undefined ? undefined : [scope],
    clients: client === undefined ? undefined : [client],
  };
}

/** Throws ClawaiError `usage` where one of these names is no server's. */
export function checkNames(words: readonly string[], known: readonly string[]): void {
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return;
  const meant = suggestName(unknown, known);
  throw usageError(
    `there is no server ${JSON.stringify(unknown)} in the configs that were looked at`,
    meant === undefined ? '`clawai status` lists them all' : `did you mean ${meant}?`,
  );
}

/** Both ways to choose at once are a mistake, since nobody knows which was meant. Throws ClawaiError `usage`. */
export function checkAll(words: readonly string[], all: boolean): void {
  if (!all || words.length === 0) return;
  throw contradiction('--all and names of servers');
}

/** The names of servers, each once, with the clients that have them. */
export function namesWithClients(servers: readonly { readonly server: string; readonly clients: readonly string[] }[]): string {
  const named = Map.groupBy(servers, ({ server }) => server);
  return [...named]
    .map(([name, same]) => `${name} (${[...new Set(same.flatMap(({ clients }) => clients))].map(clientName).join(', ')})`)
    .join(', ');
}

/** A client as its maker writes it. */
export function clientName(id: string): string {
  return CLIENTS.find((client) => client.id === id)?.name ?? id;
}
