import { BY_HAND, type ByHandClient, type ByHandFile } from '../clients/by-hand.ts';
import { LENIENT, type Machine, PLAIN } from '../clients/client.ts';
import { readEntries } from '../clients/entries.ts';
import { findFiles } from '../clients/locate.ts';
import { isTomlTable, parseToml, type TomlTable, type TomlValue } from '../core/policy/toml.ts';
import { ClawaiError } from '../errors.ts';
import { readConfig } from './files/read-config.ts';
import type { Routes } from './routes.ts';
import { weaknessOf } from './weakness.ts';
import { parseWrappedCommand, type CommandLine } from './wrapped-command.ts';

/** The status of a server whose client's config clawai does not edit. */
export interface ByHandServer {
  readonly server: string;
  /** `by-hand`: an enforcing clawai was put in front by hand. `remote`: it has a URL. */
  readonly state: 'by-hand' | 'unwrapped' | 'remote';
  /** The reason why the clawai in front does not count, a phrase without full stop. */
  readonly weakness?: string | undefined;
}

export interface ByHandStatus {
  readonly client: Pick<ByHandClient, 'id' | 'name'>;
  readonly file: string;
  readonly servers: readonly ByHandServer[];
  /** The reason why the file can't be read, a phrase without full stop. */
  readonly problem?: string | undefined;
}

/** Lists the servers of clients that are wrapped by hand; files without servers are left out. */
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
  // In the home folder, the project's file is also the user's.
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
  // A file without the key has no servers, even if it is invalid.
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

/** A server in a config that clawai reads but never edits. */
interface ListedServer {
  readonly name: string;
  /** The URL, if it is remote. */
  readonly url: string | undefined;
  /** Undefined if it can't be parsed. */
  readonly line: CommandLine | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads the servers below a top-level key of a YAML file, as clients write them: one per item, on their own lines. It goes by lines and
 * indentation alone, for a status report. Any other form is a problem, since the command is then unknown.
 */
export function serversInYaml(
  text: string,
  keys: readonly string[],
): { readonly servers: readonly ListedServer[] } | { readonly problem: string } {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.trimEnd())
    .filter((line) => !/^\s*(?:#|$)/.test(line));
  const servers: ListedServer[] = [];
  for (const key of keys) {
    const start = lines.findIndex((line) => keyOf(line) === key && !/^\s/.test(line));
    if (start === -1) continue;
    const rest = valueOf(lines[start] ?? '');
    if (/^(?:\{\s*\}|\[\s*\]|~|null)$/.test(rest)) continue;
    if (rest !== '') return { problem: `the value of ${key}: is not on lines of its own` };
    const after = lines.slice(start + 1);
    const end = after.findIndex((line) => /^[^\s-]/.test(line));
    const items = splitItems(end === -1 ? after : after.slice(0, end));
    if (items === undefined) return { problem: `the value of ${key}: is not one server after another` };
    servers.push(...items.flatMap(toServer));
  }
  return { servers };
}

type Item = readonly [string, ...string[]];

/** Splits the lines into the members of a map or the items of a list; undefined if they are neither. */
function splitItems(lines: readonly string[]): readonly Item[] | undefined {
  const [first] = lines;
  if (first === undefined) return [];
  const indent = indentOf(first);
  const items: [string, ...string[]][] = [];
  for (const line of lines) {
    if (line.includes('\t') && /^\s*\t/.test(line)) return undefined;
    if (indentOf(line) < indent) return undefined;
    const last = items.at(-1);
    if (indentOf(line) === indent) items.push([line]);
    else last?.push(line);
  }
  return items;
}

/** Reads a server; none for items without command and URL, e.g. Goose's built-in extensions. */
function toServer(item: Item): readonly ListedServer[] {
  const isListed = item[0].trimStart().startsWith('- ');
  const inner = isListed ? [item[0].replace('-', ' '), ...item.slice(1)] : item.slice(1);
  const indent = Math.min(...inner.map(indentOf));
  const valueAt = (...names: readonly string[]): string | undefined => {
    const line = inner.find((one) => indentOf(one) === indent && names.includes(keyOf(one) ?? ''));
    return line === undefined ? undefined : valueOf(line);
  };
  const name = unquote((isListed ? valueAt('name') : keyOf(item[0])) ?? '');
  const command = valueAt('command', 'cmd');
  if (command === undefined) {
    const url = valueAt('url', 'uri');
    // A flow map or an anchor may contain anything.
    const isPlain = isListed || valueOf(item[0]) === '';
    if (url === undefined && isPlain) return [];
    return [{ name, url: url === undefined ? undefined : unquote(url), line: undefined }];
  }
  const args = listAt(inner, { indent, key: 'args' });
  const env = ['env', 'envs'].flatMap((key) => below(inner, { indent, key }).map((line) => keyOf(line) ?? ''));
  return [
    {
      name,
      url: undefined,
      line: args === undefined || command === '' ? undefined : { command: unquote(command), args },
      env: Object.fromEntries(env.map((key) => [key, ''])),
    },
  ];
}

interface Place {
  readonly indent: number;
  readonly key: string;
}

/** Returns the lines below a key; items of a list may have the key's own indentation. */
function below(lines: readonly string[], { indent, key }: Place): readonly string[] {
  const start = lines.findIndex((line) => indentOf(line) === indent && keyOf(line) === key);
  if (start === -1) return [];
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => indentOf(line) <= indent && !(indentOf(line) === indent && /^\s*- /.test(line)));
  return end === -1 ? after : after.slice(0, end);
}

function listAt(lines: readonly string[], place: Place): readonly string[] | undefined {
  const line = lines.find((one) => indentOf(one) === place.indent && keyOf(one) === place.key);
  const value = line === undefined ? '[]' : valueOf(line);
  if (value === '') {
    const items = below(lines, place).map((one) => one.trimStart());
    return items.every((one) => one.startsWith('- ')) ? items.map((one) => unquote(one.slice(2).trim())) : undefined;
  }
  const flow = /^\[(.*)\]$/.exec(value)?.[1];
  if (flow === undefined) return undefined;
  return [...flow.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\s][^,]*/g)].map(([word]) => unquote(word.trim()));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function keyOf(line: string): string | undefined {
  const key = /^\s*("[^"]*"|'[^']*'|[^\s:#-][^:]*?)\s*:(?:\s|$)/.exec(line)?.[1];
  return key === undefined ? undefined : unquote(key);
}

/** Returns the value after the key, without a comment. */
function valueOf(line: string): string {
  return line
    .slice(line.search(/:(?:\s|$)/) + 1)
    .replace(/\s#.*$/, '')
    .trim();
}

function unquote(word: string): string {
  if (/^'.*'$/.test(word)) return word.slice(1, -1).replaceAll("''", "'");
  return /^".*"$/.test(word) ? word.slice(1, -1).replace(/\\(["\\/])/g, '$1') : word;
}
