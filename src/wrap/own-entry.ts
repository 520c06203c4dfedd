import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client, Location } from '../clients/client.ts';
import type { LocatedFile } from '../clients/locate.ts';
import { editText } from '../clients/text.ts';
import { ClawaiError } from '../errors.ts';
import { variablesThatReplaceClawai } from './environment.ts';
import { commandOf, launchOf } from './launch.ts';
import { readConfig, type ConfigGroup } from './files/read-config.ts';
import { readServers, type FoundServer } from './read-servers.ts';
import type { Routes } from './routes.ts';
import { type EntryRecord, isObject } from './files/state-record.ts';
import { innermost, parseWrappedCommand } from './wrapped-command.ts';
import { tryRealPath } from '../host/real-path.ts';

/** A project's entry to be copied into the client's user scope that takes precedence over the project's. */
export interface OwnEntry {
  readonly client: string;
  /** Id of the location that it goes to. */
  readonly location: string;
  /** Its path in that file, e.g. `['projects', '/home/me/project', 'mcpServers', 'files']`. */
  readonly path: readonly string[];
  /** JSON of the project's entry, without a clawai in front. */
  readonly text: string;
  /** Key of the list of entry names that the user does not want started. */
  readonly refused: string;
  /** Names of variables that prevent the copy. */
  readonly variables: readonly string[];
}

/** Returns the client's location whose entries take precedence over those of this one. */
function hidingLocation({ client, location }: LocatedFile): Location | undefined {
  return client.locations.find(({ hides }) => hides?.location === location.id);
}

/** Lists the projects' entries as the user's own, for clients with such a scope. An unreadable file gives none; its reader reports why. */
export function ownEntriesOf(located: readonly LocatedFile[], isSelected: (server: FoundServer) => boolean): readonly OwnEntry[] {
  const entries = new Map<string, OwnEntry>();
  for (const one of located) {
    const location = hidingLocation(one);
    if (location === undefined) continue;
    for (const { server, value } of entriesIn(one)) {
      if (!isSelected(server) || launchOf(server) === undefined) continue;
      const path = pathOf(location, projectKey(one.file), server.entry.name);
      // The file nearest to the current folder comes first, and counts.
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
 * Creates a test whether a client starts the user's own entry, behind clawai, instead of a project's entry.
 * @param planned own entries that are about to be written
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

/** Adds the entries to a text, and returns which were added. An existing entry stays, unless it is an old copy of ours. */
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

/** Tells whether an entry is an unedited copy of a project's entry that has changed since. */
function isOldCopy(record: EntryRecord, text: string, entry: OwnEntry): boolean {
  if (record.copy === undefined || record.copy === entry.text) return false;
  const value = valueAt(parseObject(text), entry.path);
  const { command, args = [], url } = isObject(value) ? value : {};
  const words = url === undefined ? [command, ...(Array.isArray(args) ? (args as unknown[]) : [])] : [url];
  return isDeepStrictEqual(record.wrapped, words);
}

/** Tells whether the user told the client not to start this entry of the project. */
export function isRefused(text: string, { path, refused }: OwnEntry): boolean {
  const list = valueAt(parseObject(text), [...path.slice(0, -2), refused]);
  return Array.isArray(list) && list.includes(path.at(-1));
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), root);
}

/** Writes the entry, with the missing objects around it. */
function put(
  text: string,
  { location: { syntax }, file }: LocatedFile,
  { entry, depth }: { readonly entry: OwnEntry; readonly depth: number },
): string {
  const inner = entry.path.slice(depth + 1).toReversed();
  const json = inner.reduce<object>((below, key) => ({ [key]: below }), JSON.parse(entry.text) as object);
  const result = editText(text, syntax, [{ path: entry.path.slice(0, depth + 1), to: { json } }]);
  if (result.ok) return result.text;
  const { message, line, column } = result.problem;
  throw new ClawaiError(`${file} cannot hold an entry of your own: ${message}`, {
    code: 'client_config_unreadable',
    place: { file, line, column },
  });
}

/** Counts the keys of a path that exist; undefined if the text or a value on the path is not an object. */
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
    // Its client can't read it either; reading it as a config reports that.
    return undefined;
  }
}

function pathOf({ tables }: Location, project: string, name: string): readonly string[] {
  return [...(tables[0] ?? []).map((key) => (key === '*' ? project : key)), name];
}

/**
 * Returns the key under which Claude Code (2.1) keeps a project: the real path of its repository (for a worktree, of the main one), else of
 * the folder that contains the file.
 */
export function projectKey(file: string): string {
  const folder = dirname(file);
  const key = repositoryOf(folder) ?? folder;
  const real = tryRealPath(key) ?? key;
  return process.platform === 'win32' ? real.replaceAll('\\', '/') : real;
}

function repositoryOf(folder: string): string | undefined {
  const mark = join(folder, '.git');
  if (existsSync(mark)) return mainRepository(mark) ?? folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}

/** Finds the main repository of a worktree, where `.git` is a file that points to a folder below the main `.git`. */
function mainRepository(mark: string): string | undefined {
  try {
    const [, gitDir = ''] = /^gitdir: (.+)$/m.exec(readFileSync(mark, 'utf8')) ?? [];
    const git = resolve(dirname(mark), gitDir);
    const shared = resolve(git, readFileSync(join(git, 'commondir'), 'utf8').trim());
    return basename(shared) === '.git' ? dirname(shared) : undefined;
  } catch {
    // Usually `.git` is a folder, and so the main one; or this is a submodule, which is a repository of its own.
    return undefined;
  }
}
