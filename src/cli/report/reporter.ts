import type { TestReport } from '../test-report.ts';

/** What a reporter may need besides the results. */
export interface ReportContext {
  /** The policy as the user named it. */
  readonly policy: string;
  /** `file:line` of each rule, in file order; empty where it is not known. */
  readonly rulePlaces: readonly string[];
  /** May escape sequences be used? */
  readonly colour: boolean;
}

/** Turns a report into the text for stdout, newline at the end. Decides nothing: the exit code is not its business. */
export type Reporter = (report: TestReport, context: ReportContext) => string;
