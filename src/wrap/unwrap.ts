import { isDeepStrictEqual } from 'node:util';
import type { Client, Syntax } from '../clients/client.ts';
import type { JsonEdit } from '../clients/edit-json.ts';
import type { LocatedFile } from '../clients/locate.ts';
import { scanJson } from '../clients/scan-json.ts';
import { isJson } from '../clients/text.ts';
import { editServers, type ServerEdit } from './edit-servers.ts';
import type { ChangeOptions, FileChange } from './files/change-file.ts';
import type { IsOwnUrl } from './files/mask-config.ts';
import type { ConfigGroup, ConfigText } from './files/read-config.ts';
import { type EntryRecord, type FileRecord, recordedFiles } from './files/state-record.ts';
import { changeFiles, planFiles, type FileOutcome, type FileWork } from './files/run-files.ts';
import type { FoundRecord, StateFolder } from './files/state-folder.ts';
import { isSameLaunch, launchOf, originalOf, rewriteLaunch, type Launch, shownAs, unwrapped } from './launch.ts';
import {
  readServers,
  type FoundServer,
  type FoundServers,
  isRecordSelected,
  isSelected,
  type Selection,
} from './read-servers.ts';
import { NO_ROUTES, type Routes } from './routes.ts';

export interface UnwrapRequest extends ChangeOptions {
  /** All files that the present clients read on this machine, from `locateFiles`; those in our records are added. */
  readonly located: readonly LocatedFile[];
  /** All known clients. */
  readonly clients: readonly Client[];
  readonly selection: Selection;
  /** URLs that lead to `clawai serve`; undefined if only the records are known. */
  readonly routes?: Routes | undefined;
}

/** Plans `unwrap`, file by file; nothing is written. */
export function planUnwrap(request: UnwrapRequest): readonly FileOutcome<UnwrappedFile>[] {
  return planFiles(toWork(request));
}

/**
 * Removes clawai from the selected servers. It restores the original bytes if nobody else wrote the file since; else only the values that
 * we changed, and keeps what others changed. Entries without a record are recovered from their command lines.
 */
export function applyUnwrap(request: UnwrapRequest): Promise<readonly FileOutcome<UnwrappedFile>[]> {
  return changeFiles(toWork(request));
}

function toWork(request: UnwrapRequest): FileWork<UnwrappedFile> {
  const { located, clients, selection, state, routes = NO_ROUTES } = request;
  const rules = {
    isSelected: isSelected.bind(undefined, selection),
    isRecordSelected: isRecordSelected.bind(undefined, selection),
    state,
    routes,
  };
  return {
    ...request,
    located: [...located, ...recordedFiles(state.list().records, clients, located)],
    compute: (group, config, found) => unwrapFile(group, { config, found, rules }),
  };
}

/**
 * The outcome for one server.
 * - `restore`: its original text comes back, to the byte
 * - `recover`: the original text is unknown, but the command line after `--`, or our state of the URL, gives the launch
 * - `undone`: it is already as before
 * - `keep`: somebody gave it another command or URL, which stays
 * - `gone`: somebody removed it
 * - `managed`: it is in an administrator's file
 */
export type UnwrapAction = 'restore' | 'recover' | 'undone' | 'keep' | 'gone' | 'managed';

export interface UnwrappedEntry {
  readonly file: string;
  readonly pointer: string;
  readonly server: string;
  readonly clients: readonly string[];
  readonly scope: string;
  readonly action: UnwrapAction;
  /** Command lines, or redacted URLs. */
  readonly before?: Launch | undefined;
  readonly after?: Launch | undefined;
}

export interface UnwrappedFile {
  readonly entries: readonly UnwrappedEntry[];
  readonly problems: FoundServers['problems'];
  /** True if the file gets exactly its bytes from before the first wrap. */
  readonly isPristine: boolean;
  readonly before: string;
  readonly after: string;
  readonly isOwnUrl: IsOwnUrl;
}

interface UnwrapRules {
  readonly isSelected: (server: FoundServer) => boolean;
  /** Selects recorded entries that are no longer in the file. */
  readonly isRecordSelected: (entry: EntryRecord) => boolean;
  readonly state: StateFolder;
  /** URLs that lead to `clawai serve`. */
  readonly routes: Routes;
}

interface Step {
  readonly report: UnwrappedEntry;
  readonly edit?: ServerEdit | undefined;
}

/** Computes the result of unwrapping a config: its new bytes, its record, and the report. It reads nothing but the pristine copy. */
function unwrapFile(
  group: ConfigGroup,
  { config, found, rules }: { readonly config: ConfigText; readonly found: FoundRecord; readonly rules: UnwrapRules },
): FileChange<UnwrappedFile> {
  const { text } = config;
  const record = found.kind === 'record' ? found.record : undefined;
  const { servers, problems } = readServers(text, group.located);
  const syntaxes = group.located
    .filter(({ client }) => !problems.some((problem) => problem.client === client.id))
    .map(({ location }) => location.syntax);
  const steps = [
    ...servers.filter(rules.isSelected).flatMap((server) => unwrapServer(server, { record, syntaxes, routes: rules.routes })),
    // If a client can't parse the file, missing servers say nothing.
    ...(problems.length > 0 ? [] : goneEntries(group, servers, { record, rules })),
  ];
  const done = new Set(steps.filter(({ report }) => report.action !== 'managed').map(({ report }) => report.pointer));
  const left = record?.entries.filter(({ pointer }) => !done.has(pointer)) ?? [];
  const remaining =
    record === undefined || left.length === 0 ? 'none' : { ...record, ...sinceThen(record, config), entries: left };
  const edits = steps.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
  const report = { entries: steps.map((step) => step.report), problems, before: text, isOwnUrl: rules.routes.isKnown };
  const settle = (): void => rules.routes.forget([...done].map((pointer) => ({ file: config.target.path, pointer })));
  if (edits.length === 0) {
    return {
      record: done.size === 0 ? 'as-is' : remaining,
      settle,
      report: { ...report, isPristine: false, after: text },
    };
  }
  const edited = editServers(text, { located: group.located, servers }, edits);
  const pristine =
    remaining === 'none' ? pristineBytes(config, { group, record, steps, state: rules.state, undone: edited.text }) : undefined;
  return {
    bytes: pristine ?? Buffer.from(edited.text),
    record: remaining,
    during: record === undefined ? undefined : { ...record, ...sinceThen(record, config) },
    settle,
    report: {
      ...report,
      isPristine: pristine !== undefined,
      after: pristine?.toString('utf8') ?? edited.text,
    },
  };
}

interface Unwrapping {
  readonly record: FileRecord | undefined;
  /** The syntaxes of the clients that can parse the file. */
  readonly syntaxes: readonly Syntax[];
  readonly routes: Routes;
}

function unwrapServer(server: FoundServer, { record, syntaxes, routes }: Unwrapping): Step[] {
  const { entry, pointer, found, clients } = server;
  const known = record?.entries.find((one) => one.pointer === pointer);
  const before = launchOf(server);
  const bare = before === undefined ? undefined : unwrapped(before, known, routes);
  const { scope } = found.location;
  const report = { file: found.file, pointer, server: entry.name, clients, scope, before: shownAs(before, bare !== undefined) };
  // A copy made for the user is removed as a whole, and the project's entry counts again.
  if (known?.copy !== undefined && before !== undefined && isSameLaunch(bare ?? before, originalOf(known))) {
    const edit = { server, edits: [{ path: entry.path, to: { absent: true } }], becomes: undefined } as const;
    return [{ report: { ...report, action: 'restore' }, edit }];
  }
  if (
    known !== undefined &&
    bare !== undefined &&
    isSameLaunch(bare, originalOf(known)) &&
    isInPlace(server, known) &&
    isReadable(server, known, syntaxes)
  ) {
    const edits = known.values.map(({ path, before: old }): JsonEdit => ({
      path,
      to: old === null ? { absent: true } : { raw: old },
    }));
    return [{ report: { ...report, action: 'restore', after: shownAs(bare, false) }, edit: { server, edits, becomes: bare } }];
  }
  if (bare !== undefined) {
    if (scope === 'managed') return [{ report: { ...report, action: 'managed' } }];
    const edit = { server, edits: rewriteLaunch(server, bare), becomes: bare };
    return [{ report: { ...report, action: 'recover', after: shownAs(bare, false) }, edit }];
  }
  if (known === undefined) return [];
  const isUndone = before !== undefined && isSameLaunch(before, originalOf(known));
  return [{ report: { ...report, action: isUndone ? 'undone' : 'keep' } }];
}

/**
 * Tells whether the recorded values are where the entry's command line or URL is now. A client may have rewritten the entry in another
 * shape.
 */
function isInPlace({ entry }: FoundServer, { values }: EntryRecord): boolean {
  const places = [entry.commandPath, entry.argsPath, entry.urlPath].flatMap((path) =>
    path === undefined ? [] : [path.join('\0')],
  );
  return values.every(({ path }) => places.includes(path.join('\0')));
}

/**
 * Tells whether all clients can parse the recorded values: an old value with comments, say, must not return to a file that a stricter
 * client now reads. In YAML a text can mean something else in another place, so what was written must still be there.
 */
function isReadable({ entry }: FoundServer, { values }: EntryRecord, syntaxes: readonly Syntax[]): boolean {
  return syntaxes.every((syntax) =>
    values.every(({ path, before, after }) => {
      if (isJson(syntax)) return before === null || scanJson(before, syntax, []).ok;
      const key = path.join('\0');
      const places = [
        [entry.commandPath, entry.rawCommand],
        [entry.argsPath, entry.rawArgs],
        [entry.urlPath, entry.rawUrl],
      ] as const;
      return places.some(([place, raw]) => place?.join('\0') === key && raw === (after ?? undefined));
    }),
  );
}

function goneEntries(
  { located }: ConfigGroup,
  servers: readonly FoundServer[],
  { record, rules }: { readonly record: FileRecord | undefined; readonly rules: UnwrapRules },
): readonly Step[] {
  const seen = new Set(servers.map(({ pointer }) => pointer));
  const isOfTheirs = ({ client, location }: EntryRecord): boolean =>
    located.some((file) => file.client.id === client && file.location.id === location);
  return (record?.entries ?? [])
    .filter((entry) => !seen.has(entry.pointer) && isOfTheirs(entry) && rules.isRecordSelected(entry))
    .map(({ alias, pointer, server, client, scope }) => ({
      report: { file: alias, pointer, server, clients: [client], scope, action: 'gone' },
    }));
}

function sinceThen(record: FileRecord, { hash }: ConfigText): Pick<FileRecord, 'isOnlyOurs' | 'ours'> {
  return { isOnlyOurs: record.isOnlyOurs && record.ours.includes(hash), ours: record.ours.includes(hash) ? [hash] : record.ours };
}

interface PristineChoice {
  readonly group: ConfigGroup;
  readonly record: FileRecord | undefined;
  readonly steps: readonly Step[];
  readonly state: StateFolder;
  /** The text with each value undone separately. */
  readonly undone: string;
}

/**
 * Returns the bytes from before the first wrap, if only we wrote the file since and they undo all that we did. (They don't undo a server
 * that somebody wrapped by hand before.)
 */
function pristineBytes(config: ConfigText, { group, record, steps, state, undone }: PristineChoice): Buffer | undefined {
  if (record === undefined || !record.isOnlyOurs || !record.ours.includes(config.hash)) return undefined;
  if (!steps.every(({ report }) => report.action === 'restore' || report.action === 'undone')) return undefined;
  const bytes = state.readPristine(record);
  if (bytes === undefined) return undefined;
  const pristine = bytes.toString('utf8');
  if (pristine === undone) return bytes;
  const launches = (text: string): unknown => readServers(text, group.located).servers.map(launchOf);
  return isDeepStrictEqual(launches(pristine), launches(undone)) ? bytes : undefined;
}
