import { existsSync, lstatSync, readdirSync, type Dirent } from 'node:fs';
import type { Client, Location, Machine, PolicyFile } from './client.ts';
import { isFileMatch } from './file-glob.ts';
import { needsProject, pathsOf, resolvePath } from './path-templates.ts';

/** One file of a client on this machine. */
export interface LocatedFile {
  readonly client: Client;
  readonly location: Location;
  /** The absolute path, symbolic links not followed. */
  readonly file: string;
}

export interface LocatedPolicy {
  readonly client: Client;
  readonly policyFile: PolicyFile;
  readonly file: string;
}

/** Deepest that `**` goes: a plugin cache keeps a folder for marketplace, plugin and version. */
const MAX_FOLDERS = 5;

/**
 * The files of these clients that exist on the disk, in the table's order; a dangling symbolic link counts as existing. `projects` are
 * absolute folders in which to look for files of scope project. One file may be read by several clients, or hold several locations of one,
 * and is then listed for each. A folder that we may not look into holds none.
 */
export function locateFiles(clients: readonly Client[], machine: Machine, projects: readonly string[]): readonly LocatedFile[] {
  return clients.flatMap((client) =>
    client.locations.flatMap((location) =>
      findFiles(location.file, machine, projects).map((file) => ({ client, location, file })),
    ),
  );
}

/** The administrators' files that exist, which may forbid what wrapping writes. */
export function locatePolicies(clients: readonly Client[], machine: Machine): readonly LocatedPolicy[] {
  return clients.flatMap((client) =>
    (client.policyFiles ?? []).flatMap((policyFile) =>
      findFiles(policyFile.file, machine, []).map((file) => ({ client, policyFile, file })),
    ),
  );
}

/** The ids of clients that have been on this machine, by the folders in which they keep what is the user's. */
export function presentClients(clients: readonly Client[], machine: Machine): ReadonlySet<string> {
  const { join } = pathsOf(machine);
  const isThere = ({ scope, file, isPluginCache }: Location): boolean => {
    const pattern = scope === 'user' && isPluginCache !== true ? resolvePath(file, machine, undefined) : undefined;
    if (pattern === undefined) return false;
    const folders = pattern.segments.slice(0, -1);
    const start = folders.findIndex((segment) => segment.includes('*'));
    // A file right in the home says more than that there is a home.
    if (folders.length === 0) return isFile(join(pattern.base, ...pattern.segments));
    return existsSync(join(pattern.base, ...(start === -1 ? folders : folders.slice(0, start))));
  };
  return new Set(clients.filter(({ locations }) => locations.some(isThere)).map(({ id }) => id));
}

/** The existing files of a location on a machine. */
export function findFiles(file: Location['file'], machine: Machine, projects: readonly string[]): readonly string[] {
  const { join } = pathsOf(machine);
  const patterns = (needsProject(file, machine) ? projects : [undefined]).map((project) => resolvePath(file, machine, project));
  return [
    ...new Set(
      patterns.flatMap((pattern) => {
        if (pattern === undefined) return [];
        return expand(pattern.base, pattern.segments).map((segments) => join(pattern.base, ...segments));
      }),
    ),
  ];

  /** The ways to existing files below a folder. */
  function expand(folder: string, segments: readonly string[]): readonly (readonly string[])[] {
    const at = segments.findIndex((segment) => segment.includes('*'));
    // Most patterns name one file.
    if (at === -1) return isFile(join(folder, ...segments)) ? [segments] : [];
    const within = (names: readonly string[], left: readonly string[]): readonly (readonly string[])[] =>
      expand(join(folder, ...names), left).map((below) => [...names, ...below]);
    if (at > 0) return within(segments.slice(0, at), segments.slice(at));
    const [segment = '', ...rest] = segments;
    if (segment === '**') return foldersBelow(folder, MAX_FOLDERS).flatMap((names) => within(names, rest));
    return entriesOf(folder)
      .filter(({ name }) => isFileMatch(name, segment))
      .flatMap(({ name }) => within([name], rest));
  }

  function foldersBelow(folder: string, depth: number): readonly (readonly string[])[] {
    if (depth === 0) return [[]];
    const inside = entriesOf(folder).filter(
      (entry) => entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git',
    );
    return [[], ...inside.flatMap(({ name }) => foldersBelow(join(folder, name), depth - 1).map((below) => [name, ...below]))];
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A folder that isn't there, or that we may not look into, holds no file that we could edit.
    return [];
  }
}

function isFile(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    // We may not look into its folder, or a link on the way leads in circles: no file that we could edit.
    return false;
  }
}
