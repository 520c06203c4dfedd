import { BY_HAND, type ByHandClient, type ByHandFile } from '../clients/by-hand.ts';
import { LENIENT, type Machine, PLAIN } from '../clients/client.ts';
import { readEntries } from '../clients/entries.ts';
import { findFiles } from '../clients/locate.ts';
import { isTomlTable, parseToml, type TomlTable, type TomlValue } from '../core/policy/toml.ts';
import { ClawaiError } from '../errors.ts';
import { readConfig } from './files/read-config.ts';
import type { Routes } from './routes.ts';
import { weaknessOf } from './weakness.ts';
import { parseWrappedCommand } from './wrapped-command.ts';
import { type ListedServer, serversInYaml } from './yaml-servers.ts';

/** How a server stands whose client's config clawai does not edit. */
export interface ByHandServer {
  readonly server: string;
  /** `by-hand`: somebody put a clawai that enforces in front. `remote`: it has a URL. */
  readonly state: 'by-hand' | 'unwrapped' | 'remote';
  /** Why the clawai in front of it does not count, a phrase without full stop. */
  readonly weakness?: string | undefined;
}

export interface ByHandStatus {
  readonly client: Pick<ByHandClient, 'id' | 'name'>;
  readonly file: string;
  readonly servers: readonly ByHandServer[];
  /** Why it can't be told what is in the file, a phrase without full stop. */
  readonly problem?: string | undefined;
}

/** The servers of clients that are wrapped by hand, where any are on this machine: files that have none are not listed. */
export function readByHand(
  machine: Machine,
  projects: readonly string[],
  routes: Pick<Routes, 'isOwn'>,
): readonly ByHandStatus[] {
  const statuses = BY_HAND.flatMap(({ id, name, files }) =>
    files.flatMap((place) =>
      findFiles(place.file, machine, projects).flatMap((file): readonly ByHandStatus[] => {
        const read = readPlace(file, place);
        const found = { client: { id, name }, file };
        if ('problem' in read) return [{ ...found, servers: [], problem: read.problem }];
        return read.servers.length === 0
          ? []
          : [{ ...found, servers: read.servers.map((server) => toStatus(server, place, routes)) }];
      }),
    ),
  );
  // Called in the home, what is a project's file is the user's.
  return statuses.filter(({ file }, at) => statuses.findIndex((one) => one.file === file) === at);
}

type Read = { readonly servers: readonly ListedServer[] } | { readonly problem: string };

function readPlace(file: string, place: ByHandFile): Read {
  let text: string;
  try {
    ({ text } = readConfig(file));
  } catch (error) {
    if (error instanceof ClawaiError) return { problem: error.message };
    throw error;
  }
  // A file that does not even have the word has no servers, whatever is wrong with it.
  if (!place.tables.some((table) => text.includes(table.at(-1) ?? ''))) return { servers: [] };
  if (place.format === 'yaml')
    return serversInYaml(
      text,
      place.tables.map(([key = '']) => key),
    );
  return place.format === 'toml' ? readTomlServers(text, place) : readJsonServers(text, place);
}

function readJsonServers(text: string, { tables, shape = PLAIN }: ByHandFile): Read {
  const result = readEntries(text, { syntax: LENIENT, tables, shape });
  if (!result.ok) return { problem: `line ${result.problem.line}: ${result.problem.message}` };
  return {
    servers: result.entries.flatMap(({ kind, name, command = '', args = [], env, url }): readonly ListedServer[] => {
      if (kind === 'other') return [];
      return [{ name, url: kind === 'remote' ? url : undefined, line: kind === 'stdio' ? { command, args } : undefined, env }];
    }),
  };
}

function readTomlServers(text: string, { tables }: ByHandFile): Read {
  const result = parseToml(text);
  if (!result.ok) return { problem: `line ${result.syntax.line}: ${result.syntax.message}` };
  return {
    servers: tables.flatMap((table) =>
      valuesAt(result.table, table).flatMap((value) => {
        if (Array.isArray(value)) return value.filter(isTomlTable).map((one) => toListed(String(one['name'] ?? ''), one));
        if (!isTomlTable(value)) return [];
        return Object.entries(value).flatMap(([name, one]) => (isTomlTable(one) ? [toListed(name, one)] : []));
      }),
    ),
  };
}

function valuesAt(root: TomlTable, path: readonly string[]): readonly TomlValue[] {
  return path.reduce<readonly TomlValue[]>(
    (values, key) =>
      values.filter(isTomlTable).flatMap((table) => {
        if (key === '*') return Object.values(table);
        const value = Object.hasOwn(table, key) ? table[key] : undefined;
        return value === undefined ? [] : [value];
      }),
    [root],
  );
}

function toListed(name: string, { command, args = [], env, url }: TomlTable): ListedServer {
  const words = Array.isArray(args) && args.every((arg) => typeof arg === 'string') ? args : undefined;
  const line = typeof command === 'string' && words !== undefined ? { command, args: words } : undefined;
  const names = isTomlTable(env) ? Object.keys(env) : [];
  return {
    name,
    url: command === undefined && typeof url === 'string' ? url : undefined,
    line,
    env: Object.fromEntries(names.map((key) => [key, ''])),
  };
}

function toStatus(
  { name: server, url, line, env = {} }: ListedServer,
  { scope }: ByHandFile,
  { isOwn }: Pick<Routes, 'isOwn'>,
): ByHandServer {
  if (url !== undefined) return { server, state: isOwn(url) ? 'by-hand' : 'remote' };
  if (line === undefined || parseWrappedCommand(line) === undefined) return { server, state: 'unwrapped' };
  const weakness = weaknessOf(
    {
      entry: { kind: 'stdio', ...line, env },
      found: { file: '', location: { scope, file: [] } },
    },
    undefined,
  );
  return { server, state: weakness === undefined ? 'by-hand' : 'unwrapped', weakness };
}
