import { editJson, type JsonChange } from '../clients/edit-json.ts';
import type { FileChange } from './files/change-file.ts';
import { editServers, type ServerEdit } from './edit-servers.ts';
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

/** What is to be wrapped, and how. */
export interface WrapRules extends EntryRules {
  readonly isSelected: (server: FoundServer) => boolean;
  readonly now: () => Date;
  /** Entries of projects that the user shall have too. */
  readonly own: readonly OwnEntry[];
}

/** What shall become of one file. */
export interface PlannedFile {
  readonly entries: readonly PlannedEntry[];
  readonly problems: FoundServers['problems'];
  readonly before: string;
  readonly after: string;
  readonly isOwnUrl: IsOwnUrl;
}

/** Works out what wrapping makes of a config: its new bytes, what to remember, and the report. Reads and writes nothing. */
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
  // What only we need, the URL as it is among it, is in no report.
  const entries = planned.map(({ plan: { remote: _remote, ...entry } }) => entry);
  const report = { entries, problems, before: config.text, isOwnUrl: rules.routes.isKnown };
  if (edits.length === 0) return { record: 'as-is', report: { ...report, after: config.text } };
  const edited = editServers(text, { located: group.located, servers }, edits);
  const old = keptRecord(config, found, { servers, routes: rules.routes });
  const fresh = edits.map((edit, i) =>
    recordEntry(edit, {
      changes: edited.changes[i] ?? [],
      text,
      known: old.entries.find(isAbout(edit)),
      copy: added.get(edit.server.pointer)?.text,
      rules,
    }),
  );
  const record = { ...old, entries: [...old.entries.filter((entry) => !edits.some((edit) => isAbout(edit)(entry))), ...fresh] };
  return {
    bytes: Buffer.from(edited.text),
    record,
    during: record,
    prepare() {
      const remote = planned.flatMap(({ plan }) => plan.remote ?? []);
      if (remote.length > 0) rules.routes.save(remote);
    },
    report: { ...report, after: edited.text },
  };
}

/** Nothing is taken away here. */
type LaunchEdit = ServerEdit & { readonly becomes: Launch };

interface PlannedText {
  /** The config, with the entries of the user's own that are new in it. */
  readonly text: string;
  readonly added: ReadonlyMap<string, OwnEntry>;
  readonly servers: readonly FoundServer[];
  readonly problems: FoundServers['problems'];
  readonly planned: readonly { readonly server: FoundServer; readonly plan: PlannedEntry }[];
}

/** Why the user gets no entry of their own. */
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

/** Plans each entry. One of the user's own that could not be put behind clawai does not come in at all, and is told with the reason. */
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
 * What of the known record still holds. Where nothing in the file is ours any more, or was never, its bytes of now are the pristine ones.
 * Entries that the clients at hand don't see may be another client's in the same file, and stay.
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

/** What is behind clawai: the server as it is without. */
function behind(launch: Launch, routes: Routes): Launch {
  return isAddress(launch) ? { url: routes.find(launch.url)?.url ?? launch.url } : innermost(launch);
}

interface Recorded {
  readonly changes: readonly JsonChange[];
  readonly text: string;
  /** What was recorded of the entry by an earlier run. */
  readonly known: EntryRecord | undefined;
  /** The project's entry that it was just copied from. */
  readonly copy: string | undefined;
  readonly rules: WrapRules;
}

function recordEntry(edit: LaunchEdit, { changes, text, known, copy = known?.copy, rules }: Recorded): EntryRecord {
  const { server, becomes } = edit;
  const before = launchOf(server) ?? becomes;
  const original = behind(before, rules.routes);
  // Also where somebody changed the flags before `--` since: it is the server that we know, and how it was written.
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

/** The values of now with what stood there before the first run, and those that only an earlier run changed. */
function keepBefore(values: readonly ValueRecord[], known: readonly ValueRecord[]): readonly ValueRecord[] {
  const same = (a: ValueRecord) => (b: ValueRecord) => a.path.join('\0') === b.path.join('\0');
  return [
    ...values.map((value) => ({ ...value, before: (known.find(same(value)) ?? value).before })),
    ...known.filter((old) => !values.some(same(old))),
  ];
}

/** What was there before somebody put a clawai in front by hand is not known, but what it must have said is. */
function inventBefore(
  values: readonly ValueRecord[],
  { edit: { server }, text, original }: { readonly edit: LaunchEdit; readonly text: string; readonly original: Launch },
): readonly ValueRecord[] {
  const result = editJson(text, server.found.location.syntax, rewriteLaunch(server, original));
  if (!result.ok) throw new Error(`the entry ${server.pointer} can't be given its own command line or URL`);
  return values.map((value) => {
    const own = result.changes.find(({ path }) => path.join('\0') === value.path.join('\0'));
    return { ...value, before: own?.after ?? null };
  });
}
