import type { Lint } from '../../../core/policy/lint/lint-policy.ts';
import type { LintOutput } from './lint-formats.ts';

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
