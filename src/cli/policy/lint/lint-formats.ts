import type { Lint, LintReport } from '../../../core/policy/lint/lint-policy.ts';

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
