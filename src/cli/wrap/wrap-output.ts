import { isAddress, type Launch } from '../../wrap/launch.ts';
import { maskCommand } from '../../wrap/mask-config.ts';
import type { FileOutcome, FileReport } from '../../wrap/run-files.ts';
import { formatDiff, hasColour } from '../terminal/colour.ts';
import { prettyJson, printable } from '../terminal/printable.ts';
import { type ListedFile, listingLook, renderListing } from './server-listing.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

/** Prints the files that have anything to be said about, with an empty line behind them. */
export function printOutcomes(files: readonly ListedFile[]): void {
  const shown = files.filter(({ rows, problem }) => rows.length > 0 || problem !== undefined);
  if (shown.length > 0) process.stdout.write(`${renderListing(shown, listingLook(hasColour(process.stdout)))}\n`);
}

export function printNotes(notes: readonly string[]): void {
  if (notes.length === 0) return;
  const { width } = listingLook(false);
  const lines = notes.flatMap((note) =>
    wrapWords(printable(note), width - 4).map((line, i) => (i === 0 ? `  - ${line}` : `    ${line}`)),
  );
  process.stdout.write(`to know:\n${lines.join('\n')}\n\n`);
}

export function printDiffs(outcomes: readonly FileOutcome<FileReport>[]): void {
  for (const { diff } of outcomes) {
    const text = diff();
    if (text !== '') process.stdout.write(`${formatDiff(text)}\n`);
  }
}

interface Entry {
  readonly before?: Launch | undefined;
  readonly after?: Launch | undefined;
}

type Reported = FileOutcome<FileReport & { readonly entries: readonly Entry[] }>;

/** URLs are as they may be shown already. */
function toShown<E extends Entry>(entry: E): E {
  const shown = (launch: Launch | undefined): Launch | undefined =>
    launch === undefined || isAddress(launch) ? launch : maskCommand(launch);
  return { ...entry, before: shown(entry.before), after: shown(entry.after) };
}

/** For programs: each file with its servers and, where nothing was written, the diff. */
export function toJson(outcomes: readonly Reported[], { isDry }: { readonly isDry: boolean }): string {
  const files = outcomes.map(({ file, realFile, clients, report, error, remarks, diff }) => ({
    file,
    real_file: realFile,
    clients,
    changed: report !== undefined && report.before !== report.after,
    error: error === undefined ? null : { code: error.code, message: error.message, hint: error.hint ?? null },
    problems: report?.problems ?? [],
    remarks,
    servers: (report?.entries ?? []).map(toShown),
    ...(isDry ? { diff: diff() } : {}),
  }));
  return prettyJson({ dry_run: isDry, files });
}
