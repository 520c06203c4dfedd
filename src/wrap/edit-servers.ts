import { isDeepStrictEqual } from 'node:util';
import type { Syntax } from '../clients/client.ts';
import { undoEdits, type JsonChange, type JsonEdit } from '../clients/edit-json.ts';
import { editText, isJson, readValue } from '../clients/text.ts';
import type { ConfigGroup } from './files/read-config.ts';
import { readServers, type FoundServer } from './read-servers.ts';
import { isSameLaunch, launchOf, type Launch } from './launch.ts';

/** The planned change of one server's entry. */
export interface ServerEdit {
  readonly server: FoundServer;
  readonly edits: readonly JsonEdit[];
  /** The entry's command line or URL after the edit; undefined if the whole entry is removed. */
  readonly becomes: Launch | undefined;
}

export interface EditedServers {
  readonly text: string;
  /** The changes of each server, in the order of the edits. */
  readonly changes: readonly (readonly JsonChange[])[];
}

/** The text to edit, and all its servers. */
interface ServersText {
  readonly located: ConfigGroup['located'];
  readonly servers: readonly FoundServer[];
  /** True to leave out the proof, which takes longer than the edits: for a text that is only shown. */
  readonly isShown?: boolean;
}

/**
 * Makes the edits, and proves before anything is written that they did what they should and nothing else: all other text is unchanged, the
 * edited servers have the planned command lines and URLs, and every other server is as it was.
 *
 * An edit that fails is a bug, hence an ordinary error; nothing has been written then.
 */
export function editServers(
  text: string,
  { located, servers, isShown = false }: ServersText,
  edits: readonly ServerEdit[],
): EditedServers {
  const changes = new Map<ServerEdit, readonly JsonChange[]>();
  let edited = text;
  for (const [syntax, group] of bySyntax(edits)) {
    const result = run(
      edited,
      syntax,
      group.flatMap((edit) => edit.edits),
    );
    if (!isShown && !isAllElseTheSame(edited, result, syntax))
      throw new Error('editing a config changed more of it than was planned');
    edited = result.text;
    let at = 0;
    for (const edit of group) {
      changes.set(edit, result.changes.slice(at, at + edit.edits.length));
      at += edit.edits.length;
    }
  }
  if (!isShown) prove(servers, readServers(edited, located).servers, edits);
  return { text: edited, changes: edits.map((edit) => changes.get(edit) ?? []) };
}

function bySyntax(edits: readonly ServerEdit[]): readonly (readonly [Syntax, readonly ServerEdit[]])[] {
  // Removed neighbours may share a comma, so each removal is a run of its own.
  const groups = Map.groupBy(edits, ({ server, becomes }) =>
    JSON.stringify([server.found.location.syntax, becomes === undefined ? server.pointer : '']),
  );
  return [...groups.values()].flatMap((group) =>
    group[0] === undefined ? [] : [[group[0].server.found.location.syntax, group] as const],
  );
}

function run(text: string, syntax: Syntax, edits: readonly JsonEdit[]): Edited {
  const result = editText(text, syntax, edits);
  if (result.ok) return result;
  throw new Error(`a config can't be edited: ${result.problem.message} (line ${result.problem.line})`);
}

interface Edited {
  readonly text: string;
  readonly changes: readonly JsonChange[];
}

/**
 * Checks that undoing the edits gives the same bytes. If a member was removed, it may come back elsewhere, so the values are compared. A
 * text that is more than plain JSON is also read by another parser.
 */
function isAllElseTheSame(before: string, { text, changes }: Edited, syntax: Syntax): boolean {
  const isUndone = run(text, syntax, undoEdits(changes)).text === before;
  const hasRemoved = changes.some(({ after }) => after === undefined);
  if (!isUndone && !hasRemoved) return false;
  // If the bytes agree and the text is plain JSON, parsing twenty megabytes twice more adds nothing.
  if (isUndone && isJson(syntax) && !syntax.comments && !syntax.trailingCommas) return true;
  const left = valueWithout(before, changes, syntax);
  return left !== undefined && isDeepStrictEqual(left, valueWithout(text, changes, syntax));
}

function valueWithout(text: string, changes: readonly JsonChange[], syntax: Syntax): unknown {
  const root = readValue(text, syntax);
  for (const { path } of changes) {
    const node = path.slice(0, -1).reduce(memberOf, root);
    if (isObject(node)) delete node[path.at(-1) ?? ''];
  }
  return root;
}

/** A list has its items by their names, as when it was scanned. */
function memberOf(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node.find((item) => isObject(item) && item['name'] === key);
  return isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function prove(before: readonly FoundServer[], after: readonly FoundServer[], edits: readonly ServerEdit[]): void {
  const wanted = new Map(edits.map(({ server, becomes }) => [server.pointer, becomes]));
  const left = before.filter(({ pointer }) => !wanted.has(pointer) || wanted.get(pointer) !== undefined);
  const isAsPlanned =
    left.length === after.length &&
    left.every((old, i) => {
      const now = after[i];
      if (now === undefined || now.pointer !== old.pointer) return false;
      const planned = wanted.get(old.pointer);
      const launch = launchOf(now);
      if (planned !== undefined && (launch === undefined || !isSameLaunch(launch, planned))) return false;
      return isDeepStrictEqual(apart(old, planned !== undefined), apart(now, planned !== undefined));
    });
  if (!isAsPlanned) throw new Error('an edited config does not say what was planned');
}

/** Returns an entry without the parts that an edit may change; its line moves when an earlier value grows. */
function apart({ entry }: FoundServer, isEdited: boolean): object {
  const { line: _line, ...rest } = entry;
  if (!isEdited) return rest;
  const {
    command: _command,
    args: _args,
    rawCommand: _rawCommand,
    rawArgs: _rawArgs,
    url: _url,
    rawUrl: _rawUrl,
    keys,
    ...others
  } = rest;
  return { ...others, keys: keys.filter((key) => key !== 'args') };
}
