import { IGNORE_LINTS } from '../../../core/policy/lint/lint-policy.ts';
import { LINT_RULES } from '../../../core/policy/lint/lint-rules.ts';
import { formatSarifLog, sarifLocation } from '../test/reporters/sarif-log.ts';
import type { LintOutput } from './lint-formats.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

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
    level: LEVELS[lint.severity],
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
