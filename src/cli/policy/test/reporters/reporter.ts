import type { TestReport } from '../test-report.ts';

/** What a reporter may need besides the results. */
export interface ReportContext {
  /** The policy as the user named it. */
  readonly policy: string;
  /** Names of the policy's rules, in file order. */
  readonly rules: readonly string[];
  /** The line of each rule, from 1, in file order; empty where it is not known. */
  readonly ruleLines: readonly number[];
  /** Percent of the rules that fixtures have to hit; undefined where nobody asks for that. */
  readonly minCoverage: number | undefined;
  /** Percent of the mutants that fixtures have to notice; undefined where nobody asks for that. */
  readonly minMutation?: number | undefined;
  /** Is only what failed to be printed, for people? A document for programs is always whole. */
  readonly isQuiet?: boolean;
  /** Columns of the terminal that a report for people is for; undefined where there is none. */
  readonly columns?: number | undefined;
  /** May escape sequences be used? */
  readonly colour: boolean;
}

/**
 * Turns a report into the text for stdout, newline at the end: a whole document of its format, also of a report with `errors`, whose text for
 * people is on stderr. Decides nothing: the exit code is not its business.
 */
export type Reporter = (report: TestReport, context: ReportContext) => string;
