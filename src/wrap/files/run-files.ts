import { isDeepStrictEqual } from 'node:util';
import { ClawaiError } from '../../errors.ts';
import type { JsonProblem } from '../../clients/edit-json.ts';
import type { LocatedFile } from '../../clients/locate.ts';
import { changeFile, type ChangeOptions, type FileChange } from './change-file.ts';
import { groupConfigs, readConfig, type ConfigGroup, type ConfigText } from './read-config.ts';
import { maskConfig, type IsOwnUrl } from './mask-config.ts';
import type { FoundRecord } from './state-folder.ts';
import { unifiedDiff } from './unified-diff.ts';

/** What a report of one file must have to be told. */
export interface FileReport {
  readonly problems: readonly { readonly client: string; readonly problem: JsonProblem }[];
  readonly before: string;
  readonly after: string;
  readonly isOwnUrl: IsOwnUrl;
}

/** What became, or would become, of one config. */
export interface FileOutcome<R extends FileReport> {
  /** As the first client names it, and where that leads. */
  readonly file: string;
  readonly realFile: string;
  /** Ids of the clients that read it. */
  readonly clients: readonly string[];
  /** Undefined where it could not be read or written; `error` says why, and it is as it was. */
  readonly report: R | undefined;
  readonly error: ClawaiError | undefined;
  /** What a person should know about the clients' files, sentences without full stop; what concerns one entry is in its notes. */
  readonly remarks: readonly string[];
  /** The change of the text as a unified diff, without secrets, empty where there is none; made when it is asked for. */
  readonly diff: () => string;
}

export interface FileWork<R extends FileReport> extends ChangeOptions {
  readonly located: readonly LocatedFile[];
  readonly compute: (group: ConfigGroup, config: ConfigText, found: FoundRecord) => FileChange<R>;
}

/** What would become of each file; nothing is written. A file that can't be read is one of the outcomes. */
export function planFiles<R extends FileReport>({ located, compute, state }: FileWork<R>): readonly FileOutcome<R>[] {
  const { groups, unreadable } = groupConfigs(located);
  return [
    ...groups.map((group) => {
      try {
        const config = readConfig(group.located[0].file);
        return toOutcome(group.located, group.realFile, compute(group, config, state.read(config.target.path)).report);
      } catch (error) {
        return toOutcome<R>(group.located, group.realFile, asClawaiError(error));
      }
    }),
    ...unreadable.map(({ located: files, file, error }) => toOutcome<R>(files, file, error)),
  ];
}

/** Changes one file after the other. One that can't be read or written is one of the outcomes and keeps none of the others from theirs. */
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

/** What was worked out before locking holds where neither the file nor its record has changed since: a file may be large. */
function rememberLast<R extends FileReport>(group: ConfigGroup, compute: FileWork<R>['compute']): Compute<R> {
  let last: { readonly hash: string; readonly found: FoundRecord; readonly change: FileChange<R> } | undefined;
  return (config, found) => {
    const isSame = last?.hash === config.hash && isDeepStrictEqual(last.found, found);
    if (last === undefined || !isSame) last = { hash: config.hash, found, change: compute(group, config, found) };
    return last.change;
  };
}

/** The report of a file with which there is nothing to do: then it needs no lock, which could not even be made beside many of them. */
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
    diff: () => (report === undefined || report.before === report.after ? '' : diffOf(file, report)),
  };
}

/** For people's eyes, and logs: without the secrets of the config. */
function diffOf(file: string, { before, after, isOwnUrl }: FileReport): string {
  return unifiedDiff(file, maskConfig(before, isOwnUrl), maskConfig(after, isOwnUrl));
}

function remarksAbout(located: readonly LocatedFile[]): readonly string[] {
  const remarks = located.flatMap(({ client, location }) => [...(location.remarks ?? []), ...(client.remarks ?? [])]);
  return [...new Set(remarks.flatMap(({ ifEntryHas, text }) => (ifEntryHas === undefined ? [text] : [])))];
}

/** What is no error for people is a bug, which ends the command: files that were done stay done, and the rest is untouched. */
export function asClawaiError(error: unknown): ClawaiError {
  if (error instanceof ClawaiError) return error;
  throw error;
}
