import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fault, Place } from '../../errors.ts';
import { contradiction } from '../command.ts';
import { VERSION } from '../machine/version.ts';
import { printable, prettyJson } from '../terminal/text.ts';

interface ReporterFlags<Name extends string> {
  readonly reporter: Name | undefined;
  readonly json: boolean;
}

/** The reporter that `--reporter` or `--json` name, `text` without them. Throws ClawaiError `usage`. */
export function chooseReporter<Name extends string>({ reporter, json }: ReporterFlags<Name>): Name | 'text' | 'json' {
  if (json && reporter !== undefined && reporter !== 'json') throw contradiction(`--json and --reporter ${reporter}`);
  return json ? 'json' : (reporter ?? 'text');
}

/** A message about a place of a policy or a fixture, for programs that show it there. */
export interface Annotation {
  /** The kind of message, such as `policy-lint/shadowed-rule`. */
  readonly id: string;
  readonly level: 'error' | 'warning' | 'info';
  readonly place: Place;
  readonly title: string;
  /** True if the title is the subject of the message, which is no whole sentence without it. */
  readonly isTitleSubject?: boolean | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The fixture that expects something else. */
  readonly fixture?: string;
  readonly related?: readonly { readonly place: Place; readonly message: string }[];
  /** The reason why the policy ignores the finding. */
  readonly ignored?: string | undefined;
  /** Tells it from others of its kind, wherever its line moves. By default, the words on its line do. */
  readonly identity?: string;
}

/** A kind of annotation, and what it means. */
export interface AnnotationKind {
  readonly id: string;
  readonly summary: string;
  /** Says what to do about all of its kind, in sentences. */
  readonly help: string;
}

/** Annotates the faults of a file that cannot be read, each at its place. */
export function annotateFaults(faults: readonly Fault[], { id, title }: Pick<Annotation, 'id' | 'title'>): readonly Annotation[] {
  return faults.map(({ place, message, hint }) => ({ id, level: 'error', place, title, message, hint }));
}

const GITHUB_LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** Workflow commands of GitHub Actions, one a line, which it shows beside the lines of the files; below them a summary. */
export function formatGithubCommands(annotations: readonly Annotation[], summary?: string): string {
  return [...annotations.map(formatCommand), ...(summary === undefined ? [] : [summary])].map((line) => `${line}\n`).join('');
}

function formatCommand({ level, place: { file, line, column }, title, message, hint, fixture }: Annotation): string {
  const properties = Object.entries({ file, line, col: column, title }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`],
  );
  const text = `${printable(message)}${fixture === undefined ? '' : ` (${printable(fixture)})`}`;
  return `::${GITHUB_LEVELS[level]} ${properties.join(',')}::${escapeData(hint === undefined ? text : `${text}\n${printable(hint)}`)}`;
}

/** Escapes as the toolkit of GitHub Actions does. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

const SARIF_LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/**
 * A log of SARIF 2.1.0 (OASIS) with one run of clawai; those that the policy ignores are marked as suppressed. Rules and results have what
 * GitHub's code scanning requires besides ("SARIF support for code scanning").
 */
export function formatSarifLog(kinds: readonly AnnotationKind[], annotations: readonly Annotation[]): string {
  const rules = kinds.map(({ id, summary, help }) => ({
    id,
    name: pascalCase(id),
    shortDescription: { text: summary },
    fullDescription: { text: summary.replace(/\.?$/, '.') },
    help: { text: help },
  }));
  const indexes = new Map(kinds.map(({ id }, i) => [id, i]));
  const fingerprint = fingerprinter();
  const results = annotations.map((one) => ({
    ...toSarifResult(one),
    ruleIndex: indexes.get(one.id),
    partialFingerprints: fingerprint(one),
  }));
  // Logs of one tool replace each other unless they are of different categories, such as `policy-lint`.
  const [category = ''] = kinds[0]?.id.split('/') ?? [];
  const driver = { name: 'clawai', fullName: `clawai ${VERSION}`, version: VERSION, rules };
  const run = { tool: { driver }, automationDetails: { id: `${category}/` }, results };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return prettyJson(log);
}

function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|[^A-Za-z0-9]+)([a-z]?)/g, (_, letter: string) => letter.toUpperCase());
}

/** Code scanning keeps one alert for results of the same fingerprint, so those of one identity are numbered. */
function fingerprinter(): (one: Annotation) => object | undefined {
  const counts = new Map<string, number>();
  return ({ id, place: { file }, identity }) => {
    if (identity === undefined) return undefined;
    const hash = createHash('sha256')
      .update(JSON.stringify([id, file, identity]))
      .digest('hex')
      .slice(0, 16);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    return { primaryLocationLineHash: `${hash}:${count}` };
  };
}

function toSarifResult({
  id,
  level,
  place,
  title,
  isTitleSubject,
  message,
  hint,
  fixture,
  related,
  ignored,
}: Annotation): object {
  const text = `${isTitleSubject === true ? `${title}: ` : ''}${message}${hint === undefined ? '' : `; ${hint}`}`;
  const besides = [...(related ?? []), ...(fixture === undefined ? [] : [{ place: { file: fixture }, message: 'the fixture' }])];
  return {
    ruleId: id,
    level: SARIF_LEVELS[level],
    message: { text },
    locations: [toLocation(place)],
    ...(besides.length > 0 && {
      relatedLocations: besides.map((one) => ({ ...toLocation(one.place), message: { text: one.message } })),
    }),
    ...(ignored !== undefined && { suppressions: [{ kind: 'inSource', justification: ignored }] }),
  };
}

function toLocation({ file, line, column }: Place): object {
  // Relative paths start at the working directory, which is the root of the repository in CI.
  const artifactLocation = isAbsolute(file)
    ? { uri: pathToFileURL(file).href }
    : { uri: file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
  // Code scanning refuses a result without a line.
  return { physicalLocation: { artifactLocation, region: { startLine: line ?? 1, startColumn: column } } };
}
