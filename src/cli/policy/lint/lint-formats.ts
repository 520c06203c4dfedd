import { type Fault, formatPlace } from '../../../errors.ts';
import { IGNORE_LINTS, type Lint, LINT_RULES, type LintReport } from '../../../policy-tools/lint/lint-policy.ts';
import { paint } from '../../terminal/colour.ts';
import { formatExcerpt } from '../../terminal/errors.ts';
import { printable, prettyJson } from '../../terminal/text.ts';
import { annotateFaults, type Annotation, formatGithubCommands, formatSarifLog } from '../annotations.ts';

/** The input of a reporter of `policy lint`. */
export interface LintOutput {
  readonly file: string;
  readonly report: LintReport;
  /** True if no finding counts. */
  readonly ok: boolean;
  /** Findings that `--fix` removed. */
  readonly fixed: readonly Lint[];
  /** `2 errors, 1 warning`. */
  readonly summary: string;
}

/** One JSON object: all findings, and those that the policy ignores. */
export function formatJsonLints({ file, ok, report, fixed }: LintOutput): string {
  const { lints, ignored } = report;
  const count = (wanted: string): number => lints.filter(({ severity }) => severity === wanted).length;
  const value = {
    file,
    ok,
    errors: count('error'),
    warnings: count('warning'),
    infos: count('info'),
    findings: lints.map(toFields),
    ignored: ignored.map((lint) => ({ ...toFields(lint), reason: lint.reason })),
    fixed: fixed.map(toFields),
  };
  return prettyJson(value);
}

function toFields({ id, severity, message, hint, line, column, related, fix }: Lint) {
  return { id, severity, message, hint, line, column, related, fixable: fix !== undefined };
}

const COLOURS = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/** Formats findings for people: each begins its line with its place, with the line of the policy below. */
export function formatTextLints({ file, report, summary }: LintOutput, text: string, colour: boolean): string {
  const at = ({ line, column, message }: Pick<Lint, 'line' | 'column' | 'message'>, word = ''): string =>
    `${printable(formatPlace({ file, line, column }))}: ${word}${printable(message)}`;
  const shown = report.lints.map((lint) => {
    const { severity, id, line, column, hint, related } = lint;
    const excerpt = formatExcerpt(text, line, column).trimEnd();
    const below = [
      ...(excerpt === '' ? [] : excerpt.split('\n')),
      ...related.map((other) => at(other)),
      ...(hint === undefined ? [] : [printable(hint)]),
    ];
    const head = `${at(lint, `${paint(COLOURS[severity], severity, { colour })}: `)} [${id}]`;
    return `${[head, ...below.map((part) => `  ${part}`)].join('\n')}\n`;
  });
  return [...shown, `${printable(file)}: ${summary}\n`].join('\n');
}

/** Workflow commands of GitHub Actions: one per finding, and a line that names the file and sums up. */
export function formatGithubLints({ file, report, summary }: LintOutput): string {
  const annotations = report.lints.map((lint) => toAnnotation(file, lint));
  return formatGithubCommands(annotations, `${printable(file)}: ${summary}`);
}

const INVALID_POLICY = { id: 'invalid-policy', summary: 'The policy is not valid, so it decides nothing' } as const;

/** SARIF 2.1.0: a result per finding, also of those that the policy ignores, which are marked as suppressed. */
export function formatSarifLints({ file, report }: LintOutput): string {
  return formatSarif([...report.lints, ...report.ignored].map((lint) => toAnnotation(file, lint)));
}

/** The reporter's document where there is no valid policy to look at, so that whoever reads stdout is told too. */
export function formatInvalidPolicy(reporter: 'text' | 'json' | 'github' | 'sarif', faults: readonly Fault[]): string {
  if (reporter === 'text') return '';
  const { id } = INVALID_POLICY;
  if (reporter === 'json') {
    const lints = faults.map(({ place: { line = 1, column = 1 }, message, hint }): Lint => ({
      id,
      severity: 'error',
      message,
      line,
      column,
      related: [],
      ...(hint !== undefined && { hint }),
    }));
    const file = faults[0]?.place.file ?? '';
    return formatJsonLints({ file, report: { lints, ignored: [] }, ok: false, fixed: [], summary: '' });
  }
  const annotations = annotateFaults(faults, { id: `policy-lint/${id}`, title: 'no valid policy' });
  return reporter === 'github' ? formatGithubCommands(annotations) : formatSarif(annotations);
}

const LINT_HELP =
  'The finding says what to do about it. `clawai policy lint` shows it with the lines of the policy, and `clawai policy lint --fix` removes what is safe to remove.';

function formatSarif(annotations: readonly Annotation[]): string {
  const kinds = [INVALID_POLICY, ...LINT_RULES, ...IGNORE_LINTS];
  return formatSarifLog(
    kinds.map(({ id, summary }) => ({ id: `policy-lint/${id}`, summary, help: LINT_HELP })),
    annotations,
  );
}

function toAnnotation(file: string, lint: Lint & { readonly reason?: string }): Annotation {
  const { id, severity, message, hint, line, column, related, reason: ignored } = lint;
  return {
    id: `policy-lint/${id}`,
    level: severity,
    place: { file, line, column },
    title: id,
    message,
    hint,
    related: related.map((other) => ({ place: { file, line: other.line, column: other.column }, message: other.message })),
    ignored,
  };
}
