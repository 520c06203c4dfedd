import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Client, Location, Machine, PathTemplates, PlatformName, PolicyFile } from './client.ts';

/** One file of a client on this machine. */
export interface LocatedFile {
  readonly client: Client;
  readonly location: Location;
  /** Absolute; symbolic links not followed. */
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
 * and is then listed for each.
 */
export function locateFiles(clients: readonly Client[], machine: Machine, projects: readonly string[]): readonly LocatedFile[] {
  return clients.flatMap((client) =>
    client.locations.flatMap((location) =>
      existing(location.file, machine, projects).map((file) => ({ client, location, file })),
    ),
  );
}

/** The administrators' files that exist, which may forbid what wrapping writes. */
export function locatePolicies(clients: readonly Client[], machine: Machine): readonly LocatedPolicy[] {
  return clients.flatMap((client) =>
    (client.policyFiles ?? []).flatMap((policyFile) =>
      existing(policyFile.file, machine, []).map((file) => ({ client, policyFile, file })),
    ),
  );
}

/**
 * Where a location's file is on a machine, as an absolute path in that platform's spelling that may still hold `*` and `**`; undefined
 * where the platform or the variables know no such file, or it needs a project and there is none.
 */
export function resolveTemplates(templates: Location['file'], machine: Machine, project: string | undefined): string | undefined {
  const platform = platformOf(machine);
  const list: PathTemplates | undefined = isList(templates) ? templates : templates[platform];
  const path = platform === 'win32' ? win32 : posix;
  for (const template of list ?? []) {
    const [first = '', ...rest] = template.split('/');
    const base = first === '' ? '/' : /^[A-Za-z]:$/.test(first) ? `${first}\\` : baseFolder(first, machine, project);
    if (base !== undefined && path.isAbsolute(base)) return path.join(base, ...rest);
  }
  return undefined;
}

function existing(templates: Location['file'], machine: Machine, projects: readonly string[]): readonly string[] {
  const needsProject = JSON.stringify(templates).includes('<project>');
  const patterns = (needsProject ? projects : [undefined]).map((project) => resolveTemplates(templates, machine, project));
  const separator = platformOf(machine) === 'win32' ? '\\' : '/';
  return [...new Set(patterns.flatMap((pattern) => (pattern === undefined ? [] : expand(pattern, separator))))];
}

function expand(pattern: string, separator: string): readonly string[] {
  const parts = pattern.split(separator);
  const wild = parts.findIndex((part) => part.includes('*'));
  if (wild === -1) return exists(pattern) ? [pattern] : [];
  const folder = parts.slice(0, wild).join(separator) || separator;
  const rest = parts.slice(wild + 1);
  const part = parts[wild] ?? '';
  if (part === '**') {
    return foldersBelow(folder, separator, MAX_FOLDERS).flatMap((below) => expand([below, ...rest].join(separator), separator));
  }
  const name = new RegExp(
    `^${part
      .split('*')
      .map((literal) => RegExp.escape(literal))
      .join('.*')}$`,
    's',
  );
  return list(folder)
    .filter((entry) => name.test(entry.name))
    .flatMap((entry) => expand([folder, entry.name, ...rest].join(separator), separator));
}

function foldersBelow(folder: string, separator: string, depth: number): readonly string[] {
  if (depth === 0) return [folder];
  const inside = list(folder).filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git');
  return [folder, ...inside.flatMap((entry) => foldersBelow(`${folder}${separator}${entry.name}`, separator, depth - 1))];
}

function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A folder that isn't there, or that we may not look into, holds no file that we could edit.
    return [];
  }
}

function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === false;
}

function baseFolder(first: string, machine: Machine, project: string | undefined): string | undefined {
  if (first.startsWith('$')) return variable(machine, first.slice(1));
  const { home } = machine;
  const isWindows = platformOf(machine) === 'win32';
  const path = isWindows ? win32 : posix;
  const absolute = (name: string): string | undefined => {
    const value = variable(machine, name);
    return value !== undefined && path.isAbsolute(value) ? value : undefined;
  };
  const config = (): string => absolute('XDG_CONFIG_HOME') ?? path.join(home, '.config');
  switch (first) {
    case '~':
      return home;
    case '<project>':
      return project;
    case '<config>':
      return config();
    case '<data>':
      if (isWindows) return absolute('APPDATA') ?? path.join(home, 'AppData', 'Roaming');
      return machine.platform === 'darwin' ? path.join(home, 'Library', 'Application Support') : config();
    case '<local>':
      return absolute('LOCALAPPDATA') ?? path.join(home, 'AppData', 'Local');
    case '<shared>':
      return absolute('ProgramData') ?? 'C:\\ProgramData';
    case '<programs>':
      return absolute('ProgramFiles') ?? 'C:\\Program Files';
    default:
      return undefined;
  }
}

/** Windows does not tell variables apart by case; a copy of its environment would. */
function variable({ env, platform }: Machine, name: string): string | undefined {
  if (platform !== 'win32') return env[name];
  const match = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return match === undefined ? undefined : env[match];
}

/** Every Unix that is not macOS keeps its files where Linux does. */
function platformOf({ platform }: Machine): PlatformName {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

function isList(templates: Location['file']): templates is PathTemplates {
  return Array.isArray(templates);
}
