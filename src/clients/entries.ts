import type { JsonPath, Location } from './client.ts';
import { formatPath, toProblem, type JsonEdit, type JsonProblem } from './edit-json.ts';
import { readEntry, type Entry } from './read-entry.ts';
import { ANY, type JsonNode } from './scan-json.ts';
import { isJson, scanText } from './text.ts';

export type EntriesResult =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly problem: JsonProblem };

/** The parts of a location that say how to read its text. */
export type Reading = Pick<Location, 'syntax' | 'tables' | 'shape'>;

/**
 * The servers of a config file, in its order within each table. A text without a value has none, and neither has one without the tables;
 * a text that its client could not read is a problem. Linear in the text, with memory for the tables only.
 */
export function readEntries(text: string, { syntax, tables, shape }: Reading): EntriesResult {
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
  for (const table of tables) {
    for (const { path, node, problem } of findTables(root, table)) {
      if (node.kind === 'null') continue;
      // The items of a list are its members where each has a name.
      const isTable =
        node.kind === 'object' || (node.kind === 'array' && !isJson(syntax) && node.members.length === node.items.length);
      if (!isTable)
        return {
          ok: false,
          problem: toProblem(
            text,
            node.start,
            `${formatPath(path)} must be an object${isJson(syntax) ? '' : ', or a list of servers with names'}`,
          ),
        };
      const twice = duplicates(node);
      for (const { key, keyStart, node: entry } of node.members) {
        const doubt = problem ?? (twice.has(key) ? 'there are two servers of this name' : undefined);
        entries.push({ ...readEntry({ text, path: [...path, key], node: entry, shape, doubt }), line: lineOf(keyStart) });
      }
    }
  }
  return { ok: true, entries };
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
