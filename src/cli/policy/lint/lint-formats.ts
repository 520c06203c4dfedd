import { type Lint, type LintReport, IGNORE_LINTS } from '../../../policy-tools/lint/lint-policy.ts';
import { LINT_RULES } from '../../../policy-tools/lint/lint-rules.ts';
import { formatPlace } from '../../../errors.ts';
import { formatExcerpt } from '../../terminal/errors.ts';
import { printable } from '../../terminal/printable.ts';
import { formatCommand } from '../test/reporters/github.ts';
import { formatSarifLog, sarifLocation } from '../test/reporters/sarif.ts';
import { paint } from '../../terminal/colour.ts';

/** What a reporter of `policy lint` is given. */
export interface LintOutput {
  readonly file: string;
  readonly report: LintReport;
  /** Nothing was found that counts. */
  readonly ok: boolean;
  /** What `--fix` removed. */
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
  return `${JSON.stringify(value, null, 2)}\n`;
}

function toFields({ id, severity, message, hint, line, column, related, fix }: Lint) {
  return { id, severity, message, hint, line, column, related, fixable: fix !== undefined };
}

const COLOURS = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/** For people: each finding begins its line with its place, as those of `policy lint` do, with the line of the policy below. */
export function formatTextLints({ file, report, summary }: LintOutput, text: string, isColoured: boolean): string {
  const shown = report.lints.map((lint) => formatLint(file, lint, { text, isColoured }));
  return `${[...shown, `${printable(file)}: ${summary}\n`].join('\n')}`;
}

function formatLint(
  file: string,
  lint: Lint,
  { text, isColoured }: { readonly text: string; readonly isColoured: boolean },
): string {
  const { severity, id, line, column, message, hint, related } = lint;
  const word = paint(COLOURS[severity], severity, { colour: isColoured });
  const excerpt = formatExcerpt(text, line, column).trimEnd();
  const below = [
    ...(excerpt === '' ? [] : excerpt.split('\n')),
    ...related.map(
      (other) => `${printable(formatPlace({ file, line: other.line, column: other.column }))}: ${printable(other.message)}`,
    ),
    ...(hint === undefined ? [] : [printable(hint)]),
  ];
  const head = `${printable(formatPlace({ file, line, column }))}: ${word}: ${printable(message)} [${id}]`;
  return `${[head, ...below.map((part) => `  ${part}`)].join('\n')}\n`;
}

const GITHUB_LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** Workflow commands of GitHub Actions: one per finding, and a line that sums up. */
export function formatGithubLints({ file, report, summary }: LintOutput): string {
  const lines = report.lints.map(({ id, severity, line, column, message, hint }) =>
    formatCommand(GITHUB_LEVELS[severity], {
      file,
      line,
      column,
      title: id,
      message: hint === undefined ? printable(message) : `${printable(message)}\n${printable(hint)}`,
    }),
  );
  return `${[...lines, summary].join('\n')}\n`;
}

const SARIF_LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** The rule of all that makes a text no valid policy. */
export const INVALID_POLICY = { id: 'invalid-policy', summary: 'The policy is not valid, so it decides nothing' } as const;

/** SARIF 2.1.0: a result per finding, also of those that the policy ignores, which are marked as suppressed. */
export function formatSarifLints({ file, report }: LintOutput): string {
  const rules = [INVALID_POLICY, ...LINT_RULES, ...IGNORE_LINTS].map(({ id, summary }) => ({
    id: `policy-lint/${id}`,
    shortDescription: { text: summary },
  }));
  const results = [...report.lints, ...report.ignored].map((lint) => ({
    ruleId: `policy-lint/${lint.id}`,
    level: SARIF_LEVELS[lint.severity],
    message: { text: lint.hint === undefined ? lint.message : `${lint.message}; ${lint.hint}` },
    locations: [sarifLocation(file, lint.line, lint.column)],
    ...(lint.related.length > 0 && {
      relatedLocations: lint.related.map(({ line, column, message }) => ({
        ...sarifLocation(file, line, column),
        message: { text: message },
      })),
    }),
    ...('reason' in lint && { suppressions: [{ kind: 'inSource', justification: lint.reason }] }),
  }));
  return formatSarifLog(rules, results);
}
