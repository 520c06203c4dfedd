import type { JsonPath, Location } from './client.ts';
import { formatPath, toProblem, type JsonEdit, type JsonProblem } from './edit-json.ts';
import { readEntry, type Entry } from './read-entry.ts';
import { ANY, type JsonNode } from './scan-json.ts';
import { isJson, scanText } from './text.ts';

export type EntriesResult =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly problem: JsonProblem };

/** The parts of a location that say how to read its text. */
export type Reading = Pick<Location, 'syntax' | 'tables' | 'shape' | 'mayNameFiles' | 'only'>;

/**
 * The servers of a config file, in its order within each table. A text without a value has none, and neither has one without the tables;
 * a text that its client could not read is a problem. Linear in the text, with memory for the tables only.
 */
export function readEntries(text: string, reading: Reading): EntriesResult {
  const { syntax, tables } = reading;
  // Their parsers take longer than looking for the key, and many such files hold no servers.
  if (!isJson(syntax) && !tables.some((table) => text.includes(table.at(-1) ?? '')) && !text.includes('\\')) {
    return { ok: true, entries: [] };
  }
  const patterns = tables.map((table) => table.map((key) => (key === '*' ? ANY : key)));
  const scan = scanText(text, syntax, patterns);
  if (!scan.ok) return { ok: false, problem: toProblem(text, scan.offset, scan.message) };
  const { root } = scan;
  if (root === undefined) return { ok: true, entries: [] };
  if (root.kind !== 'object') return { ok: false, problem: toProblem(text, root.start, 'the file holds no object') };
  const lineOf = lineCounter(text);
  const entries: Entry[] = [];
  const found = tables.filter((table) => table.length > 0).flatMap((table) => findTables(root, table));
  const isWhole = found.length === 0 && tables.some((table) => table.length === 0);
  for (const table of isWhole ? findTables(root, []) : found) {
    const inside = readTable(text, table, { reading, lineOf });
    if ('message' in inside) return { ok: false, problem: inside };
    for (const entry of inside) entries.push(entry);
  }
  return { ok: true, entries };
}

interface TableReading {
  readonly reading: Reading;
  readonly lineOf: (offset: number) => number;
}

function readTable(
  text: string,
  { path, node, problem }: Table,
  { reading, lineOf }: TableReading,
): readonly Entry[] | JsonProblem {
  const { syntax, shape, mayNameFiles, only } = reading;
  if (node.kind === 'null') return [];
  if (mayNameFiles === true && (node.kind === 'string' || node.kind === 'array')) {
    const names = node.kind === 'string' ? [node] : node.items;
    return names.map(({ value, start }) => otherEntry([...path, value], lineOf(start), NAMED_FILE));
  }
  // The items of a list are its members where each has a name.
  const isTable =
    node.kind === 'object' || (node.kind === 'array' && !isJson(syntax) && node.members.length === node.items.length);
  if (!isTable) {
    const wanted = `an object${isJson(syntax) ? '' : ', or a list of servers with names'}`;
    return toProblem(text, node.start, `${formatPath(path)} must be ${wanted}`);
  }
  const members = node.members.filter(({ key, node: entry }) =>
    only === undefined ? path.length > 0 || entry.kind === 'object' : key === only,
  );
  if (only !== undefined && members.length === 0) {
    return [otherEntry([...path, only], lineOf(node.start), 'its manifest names no command')];
  }
  const twice = duplicates(node);
  return members.map(({ key, keyStart, node: entry }) => {
    const doubt = problem ?? (twice.has(key) ? 'there are two servers of this name' : undefined);
    return { ...readEntry({ text, path: [...path, key], node: entry, shape, doubt }), line: lineOf(keyStart) };
  });
}

const NAMED_FILE = 'its servers stand in a file of this name, at which clawai does not look';

function otherEntry(path: JsonPath, line: number, problem: string): Entry {
  return { path, name: path.at(-1) ?? '', kind: 'other', isDisabled: false, keys: [], line, problem };
}

/** The edits that give an entry of kind `stdio` another command line; none for any other kind. */
export function rewriteCommand(
  entry: Entry,
  to: { readonly command: string; readonly args: readonly string[] },
): readonly JsonEdit[] {
  const { kind, commandPath, argsPath, rawArgs } = entry;
  if (kind !== 'stdio' || commandPath === undefined) return [];
  if (argsPath === undefined) return [{ path: commandPath, to: { value: [to.command, ...to.args] } }];
  const command: JsonEdit = { path: commandPath, to: { value: to.command } };
  if (rawArgs === undefined && to.args.length === 0) return [command];
  return [command, { path: argsPath, to: { value: to.args }, after: commandPath.at(-1) }];
}

/** The edit that gives an entry of kind `remote` another URL, under the key it has; none for any other kind. */
export function rewriteUrl(entry: Entry, url: string): readonly JsonEdit[] {
  if (entry.kind !== 'remote' || entry.urlPath === undefined) return [];
  return [{ path: entry.urlPath, to: { value: url } }];
}

interface Table {
  readonly path: JsonPath;
  readonly node: JsonNode;
  /** The reason why nothing in it can be trusted to be what the client reads. */
  readonly problem: string | undefined;
}

/** The objects that a table's path leads to; a key that stands twice on the way leads to both, with that as their problem. */
function findTables(root: JsonNode, keys: readonly string[]): readonly Table[] {
  let tables: readonly Table[] = [{ path: [], node: root, problem: undefined }];
  for (const wanted of keys) {
    tables = tables.flatMap(({ path, node, problem }) => {
      const twice = duplicates(node);
      return node.members
        .filter(({ key }) => wanted === '*' || key === wanted)
        .map(({ key, node: child }) => ({
          path: [...path, key],
          node: child,
          problem: problem ?? (twice.has(key) ? `the key ${JSON.stringify(key)} above it appears twice` : undefined),
        }));
    });
  }
  return tables;
}

function duplicates({ members }: JsonNode): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(members.map(({ key }) => key).filter((key) => seen.has(key) || !seen.add(key)));
}

/** Line numbers of offsets that mostly grow, without going back to the start for each. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let end = text.indexOf('\n');
  let last = 0;
  return (offset) => {
    if (offset < last) {
      line = 1;
      end = text.indexOf('\n');
    }
    last = offset;
    while (end !== -1 && end < offset) {
      line += 1;
      end = text.indexOf('\n', end + 1);
    }
    return line;
  };
}
