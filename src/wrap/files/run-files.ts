import { isDeepStrictEqual } from 'node:util';
import { ClawaiError } from '../../errors.ts';
import type { JsonProblem } from '../../clients/edit-json.ts';
import { isTheirs } from '../../clients/client.ts';
import type { LocatedFile } from '../../clients/locate.ts';
import { changeFile, type ChangeOptions, type FileChange } from './change-file.ts';
import { groupConfigs, readConfig, refuseHardLinks, type ConfigGroup, type ConfigText } from './read-config.ts';
import type { IsOwnUrl } from './mask-config.ts';
import { maskText } from './mask-text.ts';
import type { FoundRecord } from './state-folder.ts';
import { unifiedDiff } from '../../policy-tools/format/unified-diff.ts';

/** The fields that every report of one file needs. */
export interface FileReport {
  readonly problems: readonly { readonly client: string; readonly problem: JsonProblem }[];
  readonly before: string;
  readonly after: string;
  readonly isOwnUrl: IsOwnUrl;
}

/** The outcome, or planned outcome, of one config. */
export interface FileOutcome<R extends FileReport> {
  /** The path as the first client names it, and its real path. */
  readonly file: string;
  readonly realFile: string;
  /** Ids of the clients that read it. */
  readonly clients: readonly string[];
  /** Undefined if the file could not be read or written; `error` says why, and the file is unchanged. */
  readonly report: R | undefined;
  readonly error: ClawaiError | undefined;
  /** Notes for a person about the clients' files, sentences without full stop; notes on one entry are with that entry. */
  readonly remarks: readonly string[];
  /** True if it is an administrator's or a plugin's, so that nobody here can mend it. */
  readonly isTheirs: boolean;
  /** The change of the text as a unified diff, without secrets; empty if there is none. Computed on demand. */
  readonly diff: () => string;
}

export interface FileWork<R extends FileReport> extends ChangeOptions {
  readonly located: readonly LocatedFile[];
  readonly compute: (group: ConfigGroup, config: ConfigText, found: FoundRecord) => FileChange<R>;
}

/** Plans the changes of all files; nothing is written. An unreadable file is one of the outcomes. */
export function planFiles<R extends FileReport>({ located, compute, state }: FileWork<R>): readonly FileOutcome<R>[] {
  const { groups, unreadable } = groupConfigs(located);
  return [
    ...groups.map((group) => {
      try {
        const { file } = group.located[0];
        const config = readConfig(file);
        const change = compute(group, config, state.read(config.target.path));
        // The bytes cost time, and few files are hard links.
        if (config.target.stats.nlink > 1n && change.bytes !== undefined) refuseHardLinks(file, config.target.path);
        return toOutcome(group.located, group.realFile, change.report);
      } catch (error) {
        return toOutcome<R>(group.located, group.realFile, asClawaiError(error));
      }
    }),
    ...unreadable.map(({ located: files, file, error }) => toOutcome<R>(files, file, error)),
  ];
}

/** Changes the files one after the other. One that fails is one of the outcomes and does not stop the others. */
export async function changeFiles<R extends FileReport>(work: FileWork<R>): Promise<readonly FileOutcome<R>[]> {
  const { groups, unreadable } = groupConfigs(work.located);
  const outcomes: FileOutcome<R>[] = [];
  for (const group of groups) {
    const { located, realFile } = group;
    try {
      const compute = rememberLast(group, work.compute);
      const report = reportIfIdle(group, compute, work) ?? (await changeFile(group, compute, work));
      outcomes.push(toOutcome(located, realFile, report));
    } catch (error) {
      outcomes.push(toOutcome<R>(located, realFile, asClawaiError(error)));
    }
  }
  return [...outcomes, ...unreadable.map(({ located, file, error }) => toOutcome<R>(located, file, error))];
}

type Compute<R> = (config: ConfigText, found: FoundRecord) => FileChange<R>;

/** Caches the last computation: it still holds under the lock if neither the file nor its record has changed, and a file may be large. */
function rememberLast<R extends FileReport>(group: ConfigGroup, compute: FileWork<R>['compute']): Compute<R> {
  let last: { readonly hash: string; readonly found: FoundRecord; readonly change: FileChange<R> } | undefined;
  return (config, found) => {
    const isSame = last?.hash === config.hash && isDeepStrictEqual(last.found, found);
    if (last === undefined || !isSame) last = { hash: config.hash, found, change: compute(group, config, found) };
    return last.change;
  };
}

/** Returns the report if there is nothing to do: then no lock is needed, which beside many such files could not even be created. */
function reportIfIdle<R extends FileReport>(group: ConfigGroup, compute: Compute<R>, { state }: FileWork<R>): R | undefined {
  const config = readConfig(group.located[0].file);
  const { bytes, record, report } = compute(config, state.read(config.target.path));
  return bytes === undefined && record === 'as-is' ? report : undefined;
}

function toOutcome<R extends FileReport>(
  located: readonly LocatedFile[],
  realFile: string,
  outcome: R | ClawaiError,
): FileOutcome<R> {
  const [report, error] = outcome instanceof ClawaiError ? [undefined, outcome] : [outcome, undefined];
  const file = located[0]?.file ?? realFile;
  return {
    file,
    realFile,
    clients: [...new Set(located.map(({ client }) => client.id))],
    report,
    error,
    remarks: remarksAbout(located),
    isTheirs: located.every(({ location }) => isTheirs(location)),
    diff: () => (report === undefined || report.before === report.after ? '' : diffOf(located, report)),
  };
}

/** Diffs the texts with their secrets masked, since people and logs see the result. */
function diffOf([first]: readonly LocatedFile[], { before, after, isOwnUrl }: FileReport): string {
  if (first === undefined) return '';
  const { syntax } = first.location;
  return unifiedDiff(first.file, maskText(before, syntax, isOwnUrl), maskText(after, syntax, isOwnUrl));
}

function remarksAbout(located: readonly LocatedFile[]): readonly string[] {
  const remarks = located.flatMap(({ client, location }) => [...(location.remarks ?? []), ...(client.remarks ?? [])]);
  return [...new Set(remarks.flatMap(({ ifEntryHas, text }) => (ifEntryHas === undefined ? [text] : [])))];
}

/** Other errors are bugs, which end the command: finished files stay, and the rest is untouched. */
export function asClawaiError(error: unknown): ClawaiError {
  if (error instanceof ClawaiError) return error;
  throw error;
}
