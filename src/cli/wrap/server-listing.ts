import { isAddress, type Launch } from '../../wrap/launch.ts';
import { maskCommand } from '../../wrap/files/mask-config.ts';
import type { FileOutcome, FileReport } from '../../wrap/files/run-files.ts';
import { formatDiff, type Look, paint, stdoutLook } from '../terminal/colour.ts';
import { displayWidth, padToWidth, prettyJson, printable, wrapWords } from '../terminal/text.ts';

export type Tone = 'good' | 'plain' | 'attention' | 'bad';

/** One server, or one thing about the file. */
export interface ListedRow {
  /** A word or two: what it is or what became of it. */
  readonly state: string;
  readonly tone: Tone;
  readonly server: string;
  /** More about it; may be empty. */
  readonly text: string;
}

/** A config file and its servers. */
export interface ListedFile {
  /** The path as people read it. */
  readonly file: string;
  /** The clients that read it, and their scope. */
  readonly readers: string;
  readonly rows: readonly ListedRow[];
  /** The fault of the file as a whole. */
  readonly problem?: string | undefined;
}

const STYLES = { good: 'green', plain: 'dim', attention: 'yellow', bad: 'red' } as const satisfies Record<Tone, string>;
/** Columns up to which a name pushes the others' texts away, and the room that it leaves them on a narrow terminal. */
const WIDEST_NAME = 30;
const TEXT_ROOM = 28;

/**
 * The files one after another, their servers aligned over all of them; each ends with a line feed.
 *
 * @param widestName columns up to which a name pushes the others' texts away
 */
export function renderListing(files: readonly ListedFile[], look: Look, widestName = WIDEST_NAME): string {
  const rows = files.flatMap((file) => file.rows);
  const state = widest(rows.map((row) => row.state));
  const most = Math.min(widestName, Math.max(0, look.width - state - TEXT_ROOM - 6));
  const widths: Widths = { state, server: Math.min(most, widest(rows.map(({ server }) => printable(server)))) };
  return files.map((file) => `${renderFile(file, widths, look).join('\n')}\n`).join('\n');
}

interface Widths {
  readonly state: number;
  readonly server: number;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0);
}

function renderFile({ file, readers, rows, problem }: ListedFile, widths: Widths, look: Look): string[] {
  const head = `${paint('bold', file, look)}  ${paint('dim', readers, look)}`;
  const lines = rows.flatMap((row) => renderRow(row, widths, look));
  if (problem === undefined) return [head, ...lines];
  const wrapped = wrapWords(printable(problem), look.width - 2);
  return [head, ...wrapped.map((line) => `  ${paint('red', line, look)}`), ...lines];
}

function renderRow({ state, tone, server, text }: ListedRow, widths: Widths, look: Look): string[] {
  const name = padToWidth(printable(server), widths.server);
  const isPushed = displayWidth(name) > widths.server && text !== '';
  const left = 2 + widths.state + 2 + widths.server + 2;
  const label = `  ${paint(STYLES[tone], state, look)}${' '.repeat(widths.state - displayWidth(state) + 2)}${name}`;
  const lines = wrapWords(printable(text), look.width - left);
  // A name that is wider than its column has a line of its own.
  if (isPushed && look.width !== Infinity) return [label, ...lines.map((line) => ' '.repeat(left) + line)];
  return lines.map((line, i) => (i === 0 ? `${label}  ${line}` : ' '.repeat(left) + line).trimEnd());
}

/** Prints the files that have anything to be said about, with an empty line behind them. */
export function printOutcomes(files: readonly ListedFile[]): void {
  const shown = files.filter(({ rows, problem }) => rows.length > 0 || problem !== undefined);
  if (shown.length > 0) process.stdout.write(`${renderListing(shown, stdoutLook())}\n`);
}

export function printNotes(notes: readonly string[]): void {
  if (notes.length === 0) return;
  const { width } = stdoutLook();
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

/** Formats each file with its servers, the hooks and, if nothing was written, the diff, for programs. */
export function toJson(
  outcomes: readonly Reported[],
  { isDry, hooks }: { readonly isDry: boolean; readonly hooks: readonly object[] },
): string {
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
  return prettyJson({ dry_run: isDry, files, hooks });
}

/** The names of the servers in these outcomes. */
export function namesIn(
  outcomes: readonly FileOutcome<FileReport & { readonly entries: readonly { readonly server: string }[] }>[],
): readonly string[] {
  return outcomes.flatMap(({ report: found }) => found?.entries.map(({ server }) => server) ?? []);
}
