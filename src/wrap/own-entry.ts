import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client, Location } from '../clients/client.ts';
import { editJson } from '../clients/edit-json.ts';
import type { LocatedFile } from '../clients/locate.ts';
import { ClawaiError } from '../errors.ts';
import { variablesThatReplaceClawai } from './environment.ts';
import { commandOf, launchOf } from './launch.ts';
import { readConfig, type ConfigGroup } from './files/read-config.ts';
import { readServers, type FoundServer } from './read-servers.ts';
import type { Routes } from './routes.ts';
import { type EntryRecord, isObject } from './files/state-record.ts';
import { innermost, parseWrappedCommand } from './wrapped-command.ts';

/** An entry of a project that the user shall have too, in the client's scope that goes before the project's. */
export interface OwnEntry {
  readonly client: string;
  /** Id of the location that it goes to. */
  readonly location: string;
  /** Where it goes, e.g. `['projects', '/home/me/project', 'mcpServers', 'files']`. */
  readonly path: readonly string[];
  /** JSON of the entry as the project has it, without a clawai. */
  readonly text: string;
  /** Key of the list with names of entries that the user does not want started. */
  readonly refused: string;
  /** Names of variables that keep it from being copied. */
  readonly variables: readonly string[];
}

/** The location of the client whose entries go before those of this one. */
function hidingLocation({ client, location }: LocatedFile): Location | undefined {
  return client.locations.find(({ hides }) => hides?.location === location.id);
}

/** The entries of projects, of clients that have such a scope, as the user's own. A file that can't be read has none; its reader says why. */
export function ownEntriesOf(located: readonly LocatedFile[], isSelected: (server: FoundServer) => boolean): readonly OwnEntry[] {
  const entries = new Map<string, OwnEntry>();
  for (const one of located) {
    const location = hidingLocation(one);
    if (location === undefined) continue;
    for (const { server, value } of entriesIn(one)) {
      if (!isSelected(server) || launchOf(server) === undefined) continue;
      const path = pathOf(location, projectKey(one.file), server.entry.name);
      // The file that is nearest to the folder in which this was called comes first, and counts.
      if (entries.has(path.join('\0'))) continue;
      const line = commandOf(server);
      const bare = line !== undefined && parseWrappedCommand(line) !== undefined ? innermost(line) : undefined;
      entries.set(path.join('\0'), {
        client: one.client.id,
        location: location.id,
        refused: location.hides?.refused ?? '',
        path,
        text: JSON.stringify({ ...value, ...bare }),
        variables: variablesThatReplaceClawai(server.entry.env ?? {}, false),
      });
    }
  }
  return [...entries.values()];
}

/**
 * Whether a client starts the user's own entry, behind clawai, in the place of this one of a project.
 * @param planned those that are to be written
 */
export function createHiding(located: readonly LocatedFile[], routes: Routes, planned: readonly OwnEntry[]) {
  const hidden = new Map<Client, ReadonlySet<string>>();
  const hiddenOf = (client: Client, location: Location): ReadonlySet<string> => {
    const known = hidden.get(client);
    if (known !== undefined) return known;
    const files = located.filter((file) => file.client === client && file.location === location);
    const wrapped = files.flatMap((file) => entriesIn(file).filter(({ server }) => isWrapped(server, routes)));
    const coming = planned.filter((own) => own.client === client.id && own.variables.length === 0);
    const found = new Set(
      [...wrapped.map(({ server }) => server.entry.path), ...coming.map(({ path }) => path)].map((path) => path.join('\0')),
    );
    hidden.set(client, found);
    return found;
  };
  return (client: Client, { entry, found }: FoundServer): boolean => {
    const one = {
      client,
      location: client.locations.find(({ id }) => id === found.location.id) ?? found.location,
      file: found.file,
    };
    const location = hidingLocation(one);
    if (location === undefined) return false;
    return hiddenOf(client, location).has(pathOf(location, projectKey(found.file), entry.name).join('\0'));
  };
}

function isWrapped(server: FoundServer, routes: Routes): boolean {
  const line = commandOf(server);
  return line === undefined ? routes.find(server.entry.url ?? '') !== undefined : parseWrappedCommand(line) !== undefined;
}

/** A text with the entries in it, and which came in; those that it has already, and that are not copies of ours, stay. */
export function addOwnEntries(
  text: string,
  located: ConfigGroup['located'],
  { entries, records }: { readonly entries: readonly OwnEntry[]; readonly records: readonly EntryRecord[] },
): { readonly text: string; readonly added: ReadonlyMap<string, OwnEntry> } {
  const added = new Map<string, OwnEntry>();
  let edited = text;
  for (const entry of entries) {
    const place = located.find(({ client, location }) => client.id === entry.client && location.id === entry.location);
    if (place === undefined) continue;
    const pointer = entry.path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    const depth = depthIn(edited, entry.path);
    const isOurs = records.some((record) => record.pointer === pointer && isOldCopy(record, edited, entry));
    if (depth === undefined || (depth === entry.path.length && !isOurs)) continue;
    edited = put(edited, place, { entry, depth: Math.min(depth, entry.path.length - 1) });
    added.set(pointer, entry);
  }
  return { text: edited, added };
}

/** A copy of what the project has changed since, which its user has left as it was. */
function isOldCopy(record: EntryRecord, text: string, entry: OwnEntry): boolean {
  if (record.copy === undefined || record.copy === entry.text) return false;
  const value = valueAt(parseObject(text), entry.path);
  const { command, args = [], url } = isObject(value) ? value : {};
  const words = url === undefined ? [command, ...(Array.isArray(args) ? (args as unknown[]) : [])] : [url];
  return isDeepStrictEqual(record.wrapped, words);
}

/** Has the user told the client not to start this one of the project's? */
export function isRefused(text: string, { path, refused }: OwnEntry): boolean {
  const list = valueAt(parseObject(text), [...path.slice(0, -2), refused]);
  return Array.isArray(list) && list.includes(path.at(-1));
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), root);
}

/** Writes the member in which the entry is, with the objects around it that are missing. */
function put(
  text: string,
  { location: { syntax }, file }: LocatedFile,
  { entry, depth }: { readonly entry: OwnEntry; readonly depth: number },
): string {
  const inner = entry.path.slice(depth + 1).toReversed();
  const value = inner.reduce<unknown>((below, key) => ({ [key]: below }), JSON.parse(entry.text));
  const isSpread = text.includes('\n');
  const raw = isSpread
    ? JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${'  '.repeat(depth + 1)}`)
    : JSON.stringify(value);
  const result = editJson(text, syntax, [{ path: entry.path.slice(0, depth + 1), to: { raw } }]);
  if (result.ok) return result.text;
  const { message, line, column } = result.problem;
  throw new ClawaiError(`${file} cannot hold an entry of your own: ${message}`, {
    code: 'client_config_unreadable',
    place: { file, line, column },
  });
}

/** How many keys of a path lead to something; undefined where the text is no object, or what they lead to is none. */
function depthIn(text: string, path: readonly string[]): number | undefined {
  let node = parseObject(text);
  for (const [depth, key] of path.entries()) {
    if (!isObject(node)) return undefined;
    if (!Object.hasOwn(node, key)) return depth;
    node = node[key];
  }
  return path.length;
}

function entriesIn(
  one: LocatedFile,
): readonly { readonly server: FoundServer; readonly value: Readonly<Record<string, unknown>> }[] {
  let text: string;
  try {
    ({ text } = readConfig(one.file));
  } catch (error) {
    if (error instanceof ClawaiError) return [];
    throw error;
  }
  const root = parseObject(text);
  return readServers(text, [one]).servers.flatMap((server) => {
    const value = valueAt(root, server.entry.path);
    return isObject(value) ? [{ server, value }] : [];
  });
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // Its client can't read it either, which whoever reads it as a config is told.
    return undefined;
  }
}

function pathOf({ tables }: Location, project: string, name: string): readonly string[] {
  return [...(tables[0] ?? []).map((key) => (key === '*' ? project : key)), name];
}

/**
 * The key under which Claude Code (2.1) keeps what is of a project: the real path of its repository, for a worktree that of the main one,
 * else of the folder that has the file.
 */
export function projectKey(file: string): string {
  const folder = dirname(file);
  const key = repositoryOf(folder) ?? folder;
  const real = realOf(key);
  return process.platform === 'win32' ? real.replaceAll('\\', '/') : real;
}

function repositoryOf(folder: string): string | undefined {
  const mark = join(folder, '.git');
  if (existsSync(mark)) return mainRepository(mark) ?? folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}

/** In a worktree, `.git` is a file that leads to a folder below the `.git` of the main one. */
function mainRepository(mark: string): string | undefined {
  try {
    const [, gitDir = ''] = /^gitdir: (.+)$/m.exec(readFileSync(mark, 'utf8')) ?? [];
    const git = resolve(dirname(mark), gitDir);
    const shared = resolve(git, readFileSync(join(git, 'commondir'), 'utf8').trim());
    return basename(shared) === '.git' ? dirname(shared) : undefined;
  } catch {
    // A folder, as a rule, and so the main one; or a submodule, which is a repository of its own.
    return undefined;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // Removed meanwhile.
    return path;
  }
}
