import type { CommandLine } from './wrapped-command.ts';

/** A server of a config that is read and never edited. */
export interface ListedServer {
  readonly name: string;
  /** Set where it is reached by one. */
  readonly url: string | undefined;
  /** Undefined where it can't be told. */
  readonly line: CommandLine | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * The servers below a key of a YAML file at its top, as clients write them: one to an item, in lines of their own. Read by their lines and
 * indentation alone, to say what there is; what is written otherwise is a problem, since nobody then knows what would be started.
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
    if (rest !== '') return { problem: `what is behind ${key}: is not on lines of its own` };
    const after = lines.slice(start + 1);
    const end = after.findIndex((line) => /^[^\s-]/.test(line));
    const items = splitItems(end === -1 ? after : after.slice(0, end));
    if (items === undefined) return { problem: `what is below ${key}: is not written as one server after another` };
    servers.push(...items.flatMap(toServer));
  }
  return { servers };
}

type Item = readonly [string, ...string[]];

/** The lines of each member of a map, or item of a list; undefined where they are neither. */
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

/** Nothing for what its client brings along, e.g. Goose's built-in extensions. */
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
    // A flow map, or what an anchor stands for, may be anything.
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

/** The lines below a key; items of a list may stand at the key's own indentation. */
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

/** What stands behind the key, without a comment. */
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
