import { editJson, type JsonChange } from '../clients/edit-json.ts';
import { rewriteCommand } from '../clients/entries.ts';
import type { FileChange } from './change-file.ts';
import { editServers, type ServerEdit } from './edit-servers.ts';
import { planEntry, type EntryRules, type PlannedEntry } from './plan-entry.ts';
import type { ConfigGroup, ConfigText } from './read-config.ts';
import { readServers, type FoundServer, type FoundServers } from './read-servers.ts';
import type { FoundRecord } from './state-folder.ts';
import type { EntryRecord, FileRecord, ValueRecord } from './state-record.ts';
import { innermost, isSameCommand, parseWrappedCommand, type CommandLine } from './wrapped-command.ts';
import { commandOf } from './plan-entry.ts';

/** What is to be wrapped, and how. */
export interface WrapRules extends EntryRules {
  readonly isSelected: (server: FoundServer) => boolean;
  /** Of this clawai. */
  readonly version: string;
  readonly now: () => Date;
}

/** What shall become of one file. */
export interface PlannedFile {
  readonly entries: readonly PlannedEntry[];
  readonly problems: FoundServers['problems'];
  readonly before: string;
  readonly after: string;
}

/** Works out what wrapping makes of a config: its new bytes, what to remember, and the report. Reads and writes nothing. */
export function wrapFile(
  group: ConfigGroup,
  { config, found, rules }: { readonly config: ConfigText; readonly found: FoundRecord; readonly rules: WrapRules },
): FileChange<PlannedFile> {
  const { text } = config;
  const { servers, problems } = readServers(text, group.located);
  const planned = servers.filter(rules.isSelected).map((server) => ({ server, plan: planEntry(server, rules) }));
  const edits = planned.flatMap(({ server, plan }): ServerEdit[] => {
    const { action, after } = plan;
    if (after === undefined || (action !== 'wrap' && action !== 'update')) return [];
    return [{ server, edits: rewriteCommand(server.entry, after), becomes: after }];
  });
  const entries = planned.map(({ plan }) => plan);
  if (edits.length === 0) return { record: 'as-is', report: { entries, problems, before: text, after: text } };
  const edited = editServers(text, { located: group.located, servers }, edits);
  const old = keptRecord(config, found, servers);
  const fresh = edits.map((edit, i) =>
    recordEntry(edit, { changes: edited.changes[i] ?? [], text, known: old.entries.find(isAbout(edit)), rules }),
  );
  const record = { ...old, entries: [...old.entries.filter((entry) => !edits.some((edit) => isAbout(edit)(entry))), ...fresh] };
  return {
    bytes: Buffer.from(edited.text),
    record,
    during: record,
    report: { entries, problems, before: text, after: edited.text },
  };
}

function isAbout({ server }: ServerEdit): (entry: EntryRecord) => boolean {
  return ({ pointer }) => pointer === server.pointer;
}

/**
 * What of the known record still holds. Where nothing in the file is ours any more, or was never, its bytes of now are the pristine ones.
 * Entries that the clients at hand don't see may be another client's in the same file, and stay.
 */
function keptRecord({ target, hash }: ConfigText, found: FoundRecord, servers: readonly FoundServer[]): FileRecord {
  const seen = new Map(servers.map((server) => [server.pointer, server]));
  const known = found.kind === 'record' ? found.record : undefined;
  const entries = (known?.entries ?? []).filter(({ pointer }) => {
    const server = seen.get(pointer);
    const line = server === undefined ? undefined : commandOf(server);
    return server === undefined || (line !== undefined && parseWrappedCommand(line) !== undefined);
  });
  const start = { format: 1, file: target.path, ours: [hash], entries } as const;
  return known === undefined || entries.length === 0
    ? { ...start, pristine: hash, isOnlyOurs: true }
    : { ...start, pristine: known.pristine, isOnlyOurs: known.isOnlyOurs && known.ours.includes(hash) };
}

interface Recorded {
  readonly changes: readonly JsonChange[];
  readonly text: string;
  /** What was recorded of the entry by an earlier run. */
  readonly known: EntryRecord | undefined;
  readonly rules: WrapRules;
}

function recordEntry(edit: ServerEdit, { changes, text, known, rules }: Recorded): EntryRecord {
  const { server, becomes } = edit;
  const before = commandOf(server) ?? becomes;
  const original = innermost(before);
  // Also where somebody changed the flags before `--` since: it is the server that we know, and how it was written.
  const isOurs = known !== undefined && isSameCommand(original, fromWords(known.original));
  const values = changes.map(({ path, before: old, after }) => ({ path, before: old ?? null, after: after ?? null }));
  return {
    pointer: server.pointer,
    server: server.entry.name,
    client: server.found.client.id,
    location: server.found.location.id,
    scope: server.found.location.scope,
    alias: server.found.file,
    values: isOurs
      ? keepBefore(values, known.values)
      : isSameCommand(before, original)
        ? values
        : inventBefore(values, edit, text),
    original: toWords(original),
    wrapped: toWords(becomes),
    time: rules.now().toISOString(),
    version: rules.version,
  };
}

/** The values of now with what stood there before the first run, and those that only an earlier run changed. */
function keepBefore(values: readonly ValueRecord[], known: readonly ValueRecord[]): readonly ValueRecord[] {
  const same = (a: ValueRecord) => (b: ValueRecord) => a.path.join('\0') === b.path.join('\0');
  return [
    ...values.map((value) => ({ ...value, before: (known.find(same(value)) ?? value).before })),
    ...known.filter((old) => !values.some(same(old))),
  ];
}

/** What was there before somebody put a clawai in front by hand is not known, but what it must have said is. */
function inventBefore(values: readonly ValueRecord[], { server }: ServerEdit, text: string): readonly ValueRecord[] {
  const { entry, found } = server;
  const line = commandOf(server);
  const result = line === undefined ? undefined : editJson(text, found.location.syntax, rewriteCommand(entry, innermost(line)));
  if (result?.ok !== true) throw new Error(`the entry ${server.pointer} can't be given its own command line`);
  return values.map((value) => {
    const own = result.changes.find(({ path }) => path.join('\0') === value.path.join('\0'));
    return { ...value, before: own?.after ?? null };
  });
}

function toWords({ command, args }: CommandLine): readonly string[] {
  return [command, ...args];
}

export function fromWords([command = '', ...args]: readonly string[]): CommandLine {
  return { command, args };
}
