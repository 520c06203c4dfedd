import type { JsonChange } from '../clients/edit-json.ts';
import { editText } from '../clients/text.ts';
import type { FileChange } from './files/change-file.ts';
import { type EditedServers, editServers, type ServerEdit } from './edit-servers.ts';
import { addOwnEntries, isRefused, type OwnEntry } from './own-entry.ts';
import { isChange, planEntry, type EntryRules, type PlannedEntry } from './plan-entry.ts';
import type { ConfigGroup, ConfigText } from './files/read-config.ts';
import { readServers, type FoundServer, type FoundServers } from './read-servers.ts';
import type { FoundRecord } from './files/state-folder.ts';
import type { EntryRecord, FileRecord, ValueRecord } from './files/state-record.ts';
import type { IsOwnUrl } from './files/mask-config.ts';
import { isAddress, isSameLaunch, launchOf, originalOf, rewriteLaunch, toWords, type Launch } from './launch.ts';
import type { Routes } from './routes.ts';
import { innermost, parseWrappedCommand } from './wrapped-command.ts';

/** The rules of wrapping. */
export interface WrapRules extends EntryRules {
  readonly isSelected: (server: FoundServer) => boolean;
  readonly now: () => Date;
  /** Projects' entries to copy for the user. */
  readonly own: readonly OwnEntry[];
}

/** The plan for one file. */
export interface PlannedFile {
  readonly entries: readonly PlannedEntry[];
  readonly problems: FoundServers['problems'];
  readonly before: string;
  readonly after: string;
  readonly isOwnUrl: IsOwnUrl;
}

/** Computes the result of wrapping a config: its new bytes, its record, and the report. It reads and writes nothing. */
export function wrapFile(
  group: ConfigGroup,
  { config, found, rules }: { readonly config: ConfigText; readonly found: FoundRecord; readonly rules: WrapRules },
): FileChange<PlannedFile> {
  const records = found.kind === 'record' ? found.record.entries : [];
  const { text, added, servers, problems, planned } = planText(group, { config, records, rules });
  const edits = planned.flatMap(({ server, plan }): LaunchEdit[] => {
    const { action, after } = plan;
    if (after === undefined || !isChange(action)) return [];
    return [{ server, edits: rewriteLaunch(server, after), becomes: after }];
  });
  // Reports leave out internal fields, such as the real URL.
  const entries = planned.map(({ plan: { remote: _remote, ...entry } }) => entry);
  const report = { entries, problems, before: config.text, isOwnUrl: rules.routes.isKnown };
  if (edits.length === 0) return { record: 'as-is', report: { ...report, after: config.text } };
  const edit = (isShown: boolean): EditedServers => editServers(text, { located: group.located, servers, isShown }, edits);
  // Made on demand: a plan that is only shown needs no proof and no record, and a file may be large.
  const proved = once(() => edit(false));
  const bytes = once(() => Buffer.from(proved().text));
  const shown = once(() => edit(true).text);
  const record = once((): FileRecord => {
    const old = keptRecord(config, found, { servers, routes: rules.routes });
    const fresh = edits.map((one, i) =>
      recordEntry(one, {
        changes: proved().changes[i] ?? [],
        text,
        known: old.entries.find(isAbout(one)),
        copy: added.get(one.server.pointer)?.text,
        rules,
      }),
    );
    return { ...old, entries: [...old.entries.filter((entry) => !edits.some((one) => isAbout(one)(entry))), ...fresh] };
  });
  return {
    get bytes() {
      return bytes();
    },
    get record() {
      return record();
    },
    get during() {
      return record();
    },
    prepare() {
      const remote = planned.flatMap(({ plan }) => plan.remote ?? []);
      if (remote.length > 0) rules.routes.save(remote);
    },
    report: {
      ...report,
      get after() {
        return proved.isMade() ? proved().text : shown();
      },
    },
  };
}

/** Makes a value when it is first asked for, and once. */
function once<T>(make: () => T): (() => T) & { readonly isMade: () => boolean } {
  let made: { readonly value: T } | undefined;
  return Object.assign(() => (made ??= { value: make() }).value, { isMade: () => made !== undefined });
}

/** An edit that sets a launch; wrapping removes no entry. */
type LaunchEdit = ServerEdit & { readonly becomes: Launch };

interface PlannedText {
  /** The config, with the user's new own entries. */
  readonly text: string;
  readonly added: ReadonlyMap<string, OwnEntry>;
  readonly servers: readonly FoundServer[];
  readonly problems: FoundServers['problems'];
  readonly planned: readonly { readonly server: FoundServer; readonly plan: PlannedEntry }[];
}

/** Returns why an entry is not copied for the user. */
function refuseCopy(entry: OwnEntry, text: string): Partial<PlannedEntry> {
  if (isRefused(text, entry)) return { action: 'skip', reason: 'refused' };
  const { variables } = entry;
  return variables.length === 0 ? {} : { action: 'skip', reason: 'environment', detail: `it sets ${variables.join(', ')}` };
}

interface TextToPlan {
  readonly config: ConfigText;
  readonly records: readonly EntryRecord[];
  readonly rules: WrapRules;
}

/** Plans each entry. A copy for the user that can't be put behind clawai is not added, but reported with the reason. */
function planText(group: ConfigGroup, { config, records, rules }: TextToPlan): PlannedText {
  const before = readServers(config.text, group.located);
  const plan = ({ servers, problems }: FoundServers, own: readonly OwnEntry[]): PlannedText => {
    const { text, added } = addOwnEntries(config.text, group.located, { entries: own, records });
    const found = added.size === 0 ? { servers, problems } : readServers(text, group.located);
    const planned = found.servers
      .filter((server) => rules.isSelected(server) || added.has(server.pointer))
      .map((server) => {
        const known = added.has(server.pointer) ? undefined : records.find(({ pointer }) => pointer === server.pointer);
        const entry = planEntry(server, { realFile: config.target.path, known }, rules);
        const copied = added.get(server.pointer);
        return { server, plan: { ...entry, ...(copied === undefined ? {} : refuseCopy(copied, config.text)) } };
      });
    return { text, added, ...found, planned };
  };
  if (rules.own.length === 0 || before.problems.length > 0) return plan(before, []);
  const wanted = plan(before, rules.own);
  const left = wanted.planned.filter((one) => wanted.added.has(one.server.pointer) && !isChange(one.plan.action));
  if (left.length === 0) return wanted;
  const refused = new Set(left.map(({ server }) => wanted.added.get(server.pointer)));
  const fit = plan(
    before,
    rules.own.filter((entry) => !refused.has(entry)),
  );
  return { ...fit, planned: [...fit.planned, ...left] };
}

function isAbout({ server }: ServerEdit): (entry: EntryRecord) => boolean {
  return ({ pointer }) => pointer === server.pointer;
}

/**
 * Returns the part of the known record that still holds. If the file contains nothing of ours, its present bytes become the pristine ones.
 * Entries that the present clients don't see may be another client's in the same file, and stay.
 */
function keptRecord(
  { target, hash }: ConfigText,
  found: FoundRecord,
  { servers, routes }: { readonly servers: readonly FoundServer[]; readonly routes: Routes },
): FileRecord {
  const seen = new Map(servers.map((server) => [server.pointer, server]));
  const known = found.kind === 'record' ? found.record : undefined;
  const entries = (known?.entries ?? []).filter(({ pointer }) => {
    const server = seen.get(pointer);
    const launch = server === undefined ? undefined : launchOf(server);
    return server === undefined || (launch !== undefined && isWrapped(launch, routes));
  });
  const start = { format: 1, file: target.path, ours: [hash], entries } as const;
  return known === undefined || entries.length === 0
    ? { ...start, pristine: hash, isOnlyOurs: true }
    : { ...start, pristine: known.pristine, isOnlyOurs: known.isOnlyOurs && known.ours.includes(hash) };
}

function isWrapped(launch: Launch, routes: Routes): boolean {
  return isAddress(launch) ? routes.find(launch.url) !== undefined : parseWrappedCommand(launch) !== undefined;
}

/** Returns the launch of the server without clawai. */
function behind(launch: Launch, routes: Routes): Launch {
  return isAddress(launch) ? { url: routes.find(launch.url)?.url ?? launch.url } : innermost(launch);
}

interface Recorded {
  readonly changes: readonly JsonChange[];
  readonly text: string;
  /** The entry's record from an earlier run. */
  readonly known: EntryRecord | undefined;
  /** The project's entry that it was just copied from. */
  readonly copy: string | undefined;
  readonly rules: WrapRules;
}

function recordEntry(edit: LaunchEdit, { changes, text, known, copy = known?.copy, rules }: Recorded): EntryRecord {
  const { server, becomes } = edit;
  const before = launchOf(server) ?? becomes;
  const original = behind(before, rules.routes);
  // The record still counts if somebody changed the flags before `--`: the server, and how it was written, are the same.
  const isOurs = known !== undefined && isSameLaunch(original, originalOf(known));
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
      : isSameLaunch(before, original)
        ? values
        : inventBefore(values, { edit, text, original }),
    ...(isAddress(becomes) ? { kind: 'url' as const } : {}),
    original: toWords(original),
    wrapped: toWords(becomes),
    ...(copy === undefined ? {} : { copy }),
    time: rules.now().toISOString(),
    version: rules.version,
  };
}

/** Keeps the values from before the first run, and adds those that only an earlier run changed. */
function keepBefore(values: readonly ValueRecord[], known: readonly ValueRecord[]): readonly ValueRecord[] {
  const same = (a: ValueRecord) => (b: ValueRecord) => a.path.join('\0') === b.path.join('\0');
  return [
    ...values.map((value) => ({ ...value, before: (known.find(same(value)) ?? value).before })),
    ...known.filter((old) => !values.some(same(old))),
  ];
}

/** Derives the original values of an entry that somebody wrapped by hand: the text is unknown, but the launch is known. */
function inventBefore(
  values: readonly ValueRecord[],
  { edit: { server }, text, original }: { readonly edit: LaunchEdit; readonly text: string; readonly original: Launch },
): readonly ValueRecord[] {
  const result = editText(text, server.found.location.syntax, rewriteLaunch(server, original));
  if (!result.ok) throw new Error(`the entry ${server.pointer} can't be given its own command line or URL`);
  return values.map((value) => {
    const own = result.changes.find(({ path }) => path.join('\0') === value.path.join('\0'));
    return { ...value, before: own?.after ?? null };
  });
}
