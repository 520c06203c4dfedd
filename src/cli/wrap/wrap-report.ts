import type { LocatedFile, LocatedPolicy } from '../../clients/locate.ts';
import { readAllowLists } from '../../wrap/allow-list.ts';
import { isAddress, type Launch } from '../../wrap/launch.ts';
import type { PlannedEntry, EntryAction } from '../../wrap/plan-entry.ts';
import type { SkipReason } from '../../wrap/remote-answer.ts';
import type { FileOutcome, FileReport } from '../../wrap/files/run-files.ts';
import type { UnwrapAction, UnwrappedEntry } from '../../wrap/unwrap.ts';
import type { ListedFile, ListedRow, Tone } from './server-listing.ts';
import { shortPath, joinTexts } from '../terminal/text.ts';
import { clientName } from './wrap-surroundings.ts';

/** Reasons to leave a server as it is, for people. */
export const SKIP_REASONS: Readonly<Record<SkipReason, string>> = {
  'serve-stopped':
    'it is reached by a URL, and `clawai serve` is not running: run `clawai service install`, then `clawai wrap` again',
  'own-listener': 'its URL leads to `clawai serve`, which does not know it: give it the URL of its server',
  transport: 'clawai speaks streamable HTTP and HTTP+SSE with remote servers only',
  'templated-url': 'its client fills in a part of its URL, which clawai does not know',
  url: 'its URL is none that clawai can reach',
  oauth: "its client logs in to it, which works only at the server's own URL",
  login:
    "its server wants a login, and its client can only log in at the server's own URL; with `clawai wrap --login`, clawai logs in instead",
  unreachable:
    'its server did not answer when it was asked whether that works; `clawai wrap` with its name wraps it all the same',
  name: 'its name cannot be a part of a URL',
  managed: 'an administrator keeps this file, and can start it by `clawai proxy` there',
  malformed: 'its entry says nothing that could be started',
  'no-process': 'it is neither a process nor a URL',
  clawai: 'it starts clawai itself',
  'other-wrapper': 'another tool stands in front of it',
  'plugin-cache':
    'a plugin or extension brings it, whose next update would undo any change: switch it off there, and put its entry into your own config',
  shared: 'the file is under version control, and paths of this machine are of no use to others',
  'shared-url': 'others get the file too, and its URL would lead to `clawai serve` of this machine',
  'machine-path': 'it is to start on every machine, and this flag names a file of yours: `clawai unwrap` it first',
  'own-entry': 'your own entry of this name goes before it, and is wrapped',
  brought:
    'it came with settings of its own for clawai, which nobody has agreed to: remove them, or run `clawai wrap` on a terminal, which asks about entries of your own',
  refused: 'you told its client not to start it, so you get no entry of your own',
  environment: 'its environment can give clawai another policy, so you get no entry of your own',
  'maybe-shared':
    'the file is in a repository, and git does not say that it is not under version control: `git ls-files` there may tell why',
  'allow-list': 'an administrator lists the exact commands and URLs that may be used',
};

/** Words for what is done, and for what would be. */
type Tense = 'done' | 'planned';

const WRAP_STATES: Readonly<Record<EntryAction, Readonly<Record<Tense, string>> & { readonly tone: Tone }>> = {
  wrap: { done: 'wrapped', planned: 'to wrap', tone: 'good' },
  update: { done: 'updated', planned: 'to update', tone: 'good' },
  adopt: { done: 'recorded', planned: 'to record', tone: 'good' },
  wrapped: { done: 'as it was', planned: 'as it is', tone: 'plain' },
  skip: { done: 'skipped', planned: 'skip', tone: 'attention' },
};

const UNWRAP_STATES: Readonly<
  Record<UnwrapAction, Readonly<Record<Tense, string>> & { readonly tone: Tone; readonly text: string }>
> = {
  restore: { done: 'unwrapped', planned: 'to unwrap', tone: 'good', text: '' },
  recover: {
    done: 'unwrapped',
    planned: 'to unwrap',
    tone: 'good',
    text: 'from its command line: what stood there before is not on record',
  },
  undone: { done: 'as it was', planned: 'as it is', tone: 'plain', text: 'it is not wrapped any more' },
  keep: {
    done: 'skipped',
    planned: 'skip',
    tone: 'attention',
    text: 'somebody gave it another command or URL since, which stays',
  },
  gone: { done: 'skipped', planned: 'skip', tone: 'plain', text: 'somebody removed it since' },
  managed: { done: 'skipped', planned: 'skip', tone: 'attention', text: 'an administrator keeps this file' },
};

/** Lists each server of a file with its change, done or planned. */
export function listWrapped(
  outcome: FileOutcome<FileReport & { readonly entries: readonly PlannedEntry[] }>,
  tense: Tense,
): ListedFile {
  const rows = (outcome.report?.entries ?? []).map((entry): ListedRow => {
    const { server, action, reason, detail, before, after, isDisabled, weakness } = entry;
    const { [tense]: state, tone } = WRAP_STATES[action];
    const texts: (string | undefined)[] = [];
    if (action === 'wrapped') texts.push('it is wrapped already');
    if (action === 'update') texts.push(describeBefore(before, after));
    if (action === 'adopt')
      texts.push(
        `${entry.scope === 'project' ? 'the project brought it along' : 'it was there already'}; from now on it counts as wrapped here`,
      );
    if (action !== 'skip' && weakness !== undefined) texts.push(`but not enforced: ${weakness}`);
    if (action === 'skip') texts.push(reason === undefined ? undefined : SKIP_REASONS[reason], detail);
    if (isDisabled) texts.push('the client has it switched off');
    texts.push(projectOf(entry));
    return { state, tone, server, text: joinTexts(texts, '; ') };
  });
  return { ...headOf(outcome), rows };
}

export function listUnwrapped(
  outcome: FileOutcome<FileReport & { readonly entries: readonly UnwrappedEntry[] }>,
  tense: Tense,
): ListedFile {
  const rows = (outcome.report?.entries ?? []).map((entry): ListedRow => {
    const { [tense]: state, tone, text } = UNWRAP_STATES[entry.action];
    return { state, tone, server: entry.server, text: joinTexts([text, projectOf(entry)], '; ') };
  });
  return { ...headOf(outcome), rows };
}

function describeBefore(before: Launch | undefined, after: Launch | undefined): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  if (isAddress(before)) return `its URL was ${before.url}`;
  const isSame = !isAddress(after) && before.command === after.command;
  return isSame ? 'its arguments have changed' : `its command was ${before.command}`;
}

function headOf(outcome: FileOutcome<FileReport>): Omit<ListedFile, 'rows'> {
  return { file: shortPath(outcome.file), readers: outcome.clients.map(clientName).join(', '), problem: problemOf(outcome) };
}

/** The reason that a file was left as it was, as a sentence; undefined if it was not. */
export function problemOf({ file, error, report }: FileOutcome<FileReport>): string | undefined {
  if (error !== undefined) return `left as it is: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`;
  const [first] = report?.problems ?? [];
  if (first === undefined) return undefined;
  const { message, line, column } = first.problem;
  return `left as it is, since ${clientName(first.client)} cannot read it: ${shortPath(file)}:${line}:${column}: ${message}`;
}

/** Remarks on the clients whose files changed or would, each once. */
export function remarksAbout(
  outcomes: readonly FileOutcome<ReportOfEntries>[],
  located: readonly LocatedFile[],
  isPortable = false,
): readonly string[] {
  const changed = new Map(
    outcomes
      .filter(({ report }) => report !== undefined && report.before !== report.after)
      .map(({ file, report }) => [file, new Set(report?.entries.map(({ scope }) => scope))]),
  );
  const remarks = located
    .filter(({ file, location }) => changed.get(file)?.has(location.scope) === true)
    .flatMap(({ client, location }) =>
      [...(client.remarks ?? []), ...(location.remarks ?? [])]
        .filter(({ id, ifEntryHas }) => ifEntryHas === undefined && !(isPortable && id === 'shared-file'))
        .map(({ text }) => (text.startsWith(client.name) ? text : `${client.name}: ${text}`)),
    );
  return [...new Set(remarks)];
}

/** The files by which an administrator says which servers may start, a sentence each without full stop. */
export function remarksOfPolicies(policies: readonly LocatedPolicy[]): readonly string[] {
  const lists = Map.groupBy(readAllowLists(policies), ({ file }) => file);
  return Array.from(lists, ([file, [list, ...others]]) => {
    if (list === undefined) return file;
    const readers = [list, ...others].map(({ client }) => clientName(client)).join(', ');
    const text = list.isUnreadable ? "it can't be read, and may forbid what `clawai wrap` writes" : list.text;
    return `${file} (${readers}): ${text}`;
  });
}

type ReportOfEntries = FileReport & { readonly entries: readonly { readonly scope: string }[] };

/** The project in which an entry of the local scope counts: the key before the last table, out of its JSON pointer. */
export function projectOf({ scope, pointer }: { readonly scope: string; readonly pointer: string }): string | undefined {
  if (scope !== 'local') return undefined;
  const folder = pointer.split('/').at(-3);
  return folder === undefined ? undefined : `in ${shortPath(folder.replaceAll('~1', '/').replaceAll('~0', '~'))}`;
}
